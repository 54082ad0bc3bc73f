import { inDays } from '../helper/sample-jobs.ts';

const wrongType: unknown[] = [true, 7, 1.5, [], {}, ['x']];
const text = (max: number) => ['x'.repeat(max + 1), 'a\0b', 'a\ud800b', ...wrongType];
const days = ['2026-02-30', '2026-13-01', inDays(0), inDays(-1), `${inDays(5)}T00:00:00Z`, 'amanhã', '', 7, true];
const enumerated = ['', 'other', 'FULL_TIME', 0, true, []];
const list = [...Array(3).fill('x'), {}, 7, [7], [null], Array(51).fill('x'), ['x'.repeat(501)], ['a\0b']];

const addresses = (
  'http://example.com javascript:alert(1) https:// //example.com https:///vaga https://////x https:/example.com https:example.com ' +
  'https:\\\\example.com HTTP://example.com HTTPS://user@example.com/ https://\u212aa.example/ https://@example.com/ https://?x https://:443/ https://[::1/ https://1.2/ https://exämple.com/ https://[0:0::1]/ ' +
  'https://ex%61mple.com/ https://exam\tple.com/ https://user:a@example.com/ https://example.com\\@evil.example/ https://example.com/a\nb ' +
  'https://example.com/técnico https://example.com:65536/ https://example.com:x/ https://example.com:-1/ https://example.com/%zz ' +
  `https://example.com/#a#b https://example.com/vagas[1] https://example.com/?q=[ https://example.com/#] https://example.com/${'a'.repeat(2048)}`
).split(' ');

/** Values that a field never accepts, by the limits of section 2. */
export const invalidValues: Readonly<Record<string, readonly unknown[]>> = {
  title: [null, '', ' \u200b\n', ...text(255)],
  body: [null, '', ' ', '<p></p>', '<script>x</script>', '&nbsp;', 'é'.repeat(32_768), ...text(30_000)],
  contact_instructions: [null, '', '\t', ...text(10_000)],
  category_id: [null, 0, -1, 1.5, 1, 22, 2105, 2201, 999_999, 2 ** 31, 2 ** 53, 1e300, '101', true, []],
  district_id: [null, 0, -1, 1.5, 21, 2 ** 31, '1', {}],
  application_method: [null, '', 'fax', 7, []],
  contact_email: ['', 'nobody', 'a@', 'a b@example.com', `${'a'.repeat(250)}@example.com`, 7, []],
  contact_phone: ['', 'abc', '1'.repeat(21), 7, [], 'a\0'],
  external_application_url: [...addresses, ' https://example.com/', 'https://example.com/vaga técnica', '', 7, []],
  requirements: ['', ...text(10_000)],
  salary_benefits: ['', ...text(5000)],
  remote_policy: ['', ...text(5000)],
  valid_until: days,
  salary_min: [-1, -0.01, 100_000_000, 99_999_999.999, 0.001, 1250.500_000_02, 0.300_000_02, 1e300, '1', true, []],
  salary_max: [-1, 100_000_000, 99_999_999.999, '1', {}],
  salary_negotiable: [null, 'true', 0, 1, []],
  salary_type: enumerated,
  experience_years: [-1, 51, 1.5, '1', true],
  education_details: list,
  professional_requirements: list,
  language_requirements: list,
  contract_type: enumerated,
  work_modality: enumerated,
  education_level: enumerated,
};
