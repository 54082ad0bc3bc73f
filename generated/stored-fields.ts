// Written by `npm run generate` from openapi.yaml; not to be edited.

/** The fields that are sent and stored, by table, in the order of the contract. */
export const storedFields = {
  jobs: {
    title: {"kind":"text","label":"Title","required":true,"nullable":false,"maxLength":255},
    body: {"kind":"html","label":"Body","required":true,"nullable":false,"maxLength":30000,"maxBytes":65535},
    contact_instructions: {"kind":"text","label":"How to apply","required":true,"nullable":false,"maxLength":10000},
    category_id: {"kind":"integer","label":"Category","required":true,"nullable":false,"references":"categories"},
    district_id: {"kind":"integer","label":"Region","required":true,"nullable":false,"references":"districts"},
    application_method: {"kind":"enum","label":"Application method","required":true,"nullable":false,"options":"application_methods","values":["system","email","phone","external"]},
    contact_email: {"kind":"text","label":"Contact email","required":false,"nullable":true,"maxLength":255,"requiredWhen":{"application_method":"email"}},
    contact_phone: {"kind":"text","label":"Contact phone","required":false,"nullable":true,"maxLength":20,"requiredWhen":{"application_method":"phone"}},
    external_application_url: {"kind":"text","label":"Application page","required":false,"nullable":true,"maxLength":2048,"requiredWhen":{"application_method":"external"}},
    requirements: {"kind":"text","label":"Requirements","required":false,"nullable":true,"maxLength":10000},
    salary_benefits: {"kind":"text","label":"Salary and benefits","required":false,"nullable":true,"maxLength":5000},
    remote_policy: {"kind":"text","label":"Remote policy","required":false,"nullable":true,"maxLength":5000},
    valid_until: {"kind":"date","label":"Last day","required":false,"nullable":true,"future":true},
    salary_min: {"kind":"decimal","label":"Minimum salary","required":false,"nullable":true,"decimals":2},
    salary_max: {"kind":"decimal","label":"Maximum salary","required":false,"nullable":true,"decimals":2,"atLeast":"salary_min"},
    salary_negotiable: {"kind":"boolean","label":"Negotiable","required":false,"nullable":false,"default":false},
    salary_type: {"kind":"enum","label":"Salary type","required":false,"nullable":true,"options":"salary_types","values":["hourly","monthly","yearly","negotiable","not_specified"]},
    experience_years: {"kind":"integer","label":"Years of experience","required":false,"nullable":true},
    education_details: {"kind":"list","label":"Education","required":false,"nullable":true},
    professional_requirements: {"kind":"list","label":"Professional requirements","required":false,"nullable":true},
    language_requirements: {"kind":"list","label":"Languages","required":false,"nullable":true},
    contract_type: {"kind":"enum","label":"Contract","required":false,"nullable":true,"options":"contract_types","values":["full_time","part_time","contract","temporary","internship","freelance"]},
    work_modality: {"kind":"enum","label":"Work modality","required":false,"nullable":true,"options":"work_modalities","values":["presencial","remoto","hibrido"]},
    education_level: {"kind":"enum","label":"Education level","required":false,"nullable":true,"options":"education_levels","values":["sem_requisitos","ensino_basico","ensino_secundario","ensino_profissional","curso_tecnologico","licenciatura","pos_graduacao","mestrado","doutoramento","outro"]},
  },
} as const;

/** The models of these tables, as the database's client calls them. */
export const storedModels = {
  jobs: 'job',
} as const;

/** What the contract calls one of them. */
export const storedNouns = {
  jobs: 'job',
} as const;
