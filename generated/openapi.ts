// Written by `npm run generate` from openapi.yaml; not to be edited.

export interface paths {
    "/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the plan and posting quota */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the categories */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/regions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the regions */
        get: operations["listRegions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/districts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the regions (alias) */
        get: operations["listDistricts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the accepted values */
        get: operations["listOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the company's jobs */
        get: operations["listJobs"];
        put?: never;
        /** Create a job */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a job */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /** Withdraw a job */
        delete: operations["withdrawJob"];
        options?: never;
        head?: never;
        /** Change a job */
        patch: operations["updateJob"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description The state of the job: `pending` waits for review, `active` is published, `inactive` was withdrawn, `expired` was active until the end of its `valid_until`, `denied` was rejected in review. In the sandbox every job stays `pending` until it is withdrawn.
         * @enum {string}
         */
        JobStatus: "pending" | "active" | "inactive" | "expired" | "denied";
        /**
         * @description `system` (on the website), `email` (needs contact_email), `phone` (needs contact_phone) or `external` (needs external_application_url).
         * @enum {string}
         */
        ApplicationMethod: "system" | "email" | "phone" | "external";
        /**
         * @description `hourly`, `monthly`, `yearly`, `negotiable` (to be agreed) or `not_specified`.
         * @enum {string|null}
         */
        SalaryType: "hourly" | "monthly" | "yearly" | "negotiable" | "not_specified" | null;
        /**
         * @description By working time, `full_time` or `part_time`; else `contract` (fixed term), `temporary` (agency or season), `internship`, `freelance`. If several fit, send the working time; say the rest in `body`.
         * @enum {string|null}
         */
        ContractType: "full_time" | "part_time" | "contract" | "temporary" | "internship" | "freelance" | null;
        /**
         * @description `presencial` (on site), `remoto` or `hibrido` (both).
         * @enum {string|null}
         */
        WorkModality: "presencial" | "remoto" | "hibrido" | null;
        /**
         * @description The minimum: `sem_requisitos`, `ensino_basico` (9 years), `ensino_secundario` (12), `ensino_profissional`, `curso_tecnologico`, `licenciatura`, `pos_graduacao`, `mestrado`, `doutoramento` or `outro`.
         * @enum {string|null}
         */
        EducationLevel: "sem_requisitos" | "ensino_basico" | "ensino_secundario" | "ensino_profissional" | "curso_tecnologico" | "licenciatura" | "pos_graduacao" | "mestrado" | "doutoramento" | "outro" | null;
        /** @description Other fields are rejected. An omitted optional one is null. `body` is stored as HTML, other text as sent. */
        JobInput: {
            /** @description Plain text, not blank. */
            title: string;
            /** @description Text without tags (lines are kept) or HTML, not Markdown; at most 30000 characters and 65535 bytes of UTF-8, as sent and as sanitized. Kept: p br strong b em i u s ul ol li h2 h3 h4 blockquote hr code pre sub sup table thead tbody tfoot tr th td, start, colspan, rowspan, a with an https, http, mailto or tel href; at most 2500 elements; other tags' text, but none of svg and math. Must leave text to read. */
            body: string;
            /** @description How to apply: plain text, not blank. */
            contact_instructions: string;
            /**
             * Format: int32
             * @description An active child category (parent_id not null) of `GET /categories`.
             */
            category_id: number;
            /**
             * Format: int32
             * @description The region of work, of `GET /regions`.
             */
            district_id: number;
            application_method: components["schemas"]["ApplicationMethod"];
            /**
             * Format: email
             * @description Required when application_method is email.
             */
            contact_email?: string | null;
            /** @description Such as +351 210 000 000. Required when application_method is phone. */
            contact_phone?: string | null;
            /**
             * Format: uri
             * @description https, no user name or password, in ASCII (xn-- host, percent-encoded path). Required when application_method is external.
             */
            external_application_url?: string | null;
            /** @description Plain text. */
            requirements?: string | null;
            /** @description In words: plain text. */
            salary_benefits?: string | null;
            /** @description Plain text. */
            remote_policy?: string | null;
            /**
             * Format: date
             * @description The last day, YYYY-MM-DD, after today (in Europe/Lisbon by default); null means open-ended.
             */
            valid_until?: string | null;
            /** @description In EUR: a number, at most two decimals, such as 1250.5; not a string as in responses. */
            salary_min?: number | null;
            /** @description In EUR: a number, at most two decimals, not below salary_min. */
            salary_max?: number | null;
            /** @description false if a new job leaves it out. */
            salary_negotiable?: boolean;
            salary_type?: components["schemas"]["SalaryType"];
            /** @description Years required. */
            experience_years?: number | null;
            /** @description Required education, one per item. */
            education_details?: string[] | null;
            /** @description Licences, certificates and the like, one per item. */
            professional_requirements?: string[] | null;
            /** @description One per item, such as Inglês B2. */
            language_requirements?: string[] | null;
            contract_type?: components["schemas"]["ContractType"];
            work_modality?: components["schemas"]["WorkModality"];
            education_level?: components["schemas"]["EducationLevel"];
        };
        /** @description The fields to change, at least one; others are rejected. An omitted one keeps its value; null clears a nullable one. Rules about several fields apply to the job as it would become. */
        JobPatch: {
            /** @description Plain text, not blank. */
            title?: string;
            /** @description Text without tags (lines are kept) or HTML, not Markdown; at most 30000 characters and 65535 bytes of UTF-8, as sent and as sanitized. Kept: p br strong b em i u s ul ol li h2 h3 h4 blockquote hr code pre sub sup table thead tbody tfoot tr th td, start, colspan, rowspan, a with an https, http, mailto or tel href; at most 2500 elements; other tags' text, but none of svg and math. Must leave text to read. */
            body?: string;
            /** @description How to apply: plain text, not blank. */
            contact_instructions?: string;
            /**
             * Format: int32
             * @description An active child category (parent_id not null) of `GET /categories`.
             */
            category_id?: number;
            /**
             * Format: int32
             * @description The region of work, of `GET /regions`.
             */
            district_id?: number;
            application_method?: components["schemas"]["ApplicationMethod"];
            /**
             * Format: email
             * @description Required when application_method is email.
             */
            contact_email?: string | null;
            /** @description Such as +351 210 000 000. Required when application_method is phone. */
            contact_phone?: string | null;
            /**
             * Format: uri
             * @description https, no user name or password, in ASCII (xn-- host, percent-encoded path). Required when application_method is external.
             */
            external_application_url?: string | null;
            /** @description Plain text. */
            requirements?: string | null;
            /** @description In words: plain text. */
            salary_benefits?: string | null;
            /** @description Plain text. */
            remote_policy?: string | null;
            /**
             * Format: date
             * @description The last day, YYYY-MM-DD, after today (in Europe/Lisbon by default); null means open-ended.
             */
            valid_until?: string | null;
            /** @description In EUR: a number, at most two decimals, such as 1250.5; not a string as in responses. */
            salary_min?: number | null;
            /** @description In EUR: a number, at most two decimals, not below salary_min. */
            salary_max?: number | null;
            /** @description false if a new job leaves it out. */
            salary_negotiable?: boolean;
            salary_type?: components["schemas"]["SalaryType"];
            /** @description Years required. */
            experience_years?: number | null;
            /** @description Required education, one per item. */
            education_details?: string[] | null;
            /** @description Licences, certificates and the like, one per item. */
            professional_requirements?: string[] | null;
            /** @description One per item, such as Inglês B2. */
            language_requirements?: string[] | null;
            contract_type?: components["schemas"]["ContractType"];
            work_modality?: components["schemas"]["WorkModality"];
            education_level?: components["schemas"]["EducationLevel"];
        };
        /** @description A job offer of the company. Every property is always present. */
        Job: {
            /**
             * Format: int64
             * @description The identifier of the job. It may need 53 bits, so take a 64-bit type where the language has several.
             */
            readonly id: number;
            /** @description The name of the company; null on an anonymous job. */
            readonly company_name: string | null;
            status: components["schemas"]["JobStatus"];
            /** @description Whether the job is published now, which means that its status is active. */
            readonly is_active: boolean;
            /** @description Whether the job is published without the company's name. It cannot be set here. */
            readonly is_anonymous: boolean;
            /**
             * Format: date-time
             * @description When the job was created.
             */
            readonly created_at: string | null;
            /**
             * Format: date-time
             * @description When the job was last changed.
             */
            readonly updated_at: string | null;
            /** @description The title of the offer, as plain text. */
            title: string;
            /** @description The text of the offer, as sanitized HTML, even if it was sent as plain text. */
            body: string;
            /** @description What candidates should know about applying, as plain text. */
            contact_instructions: string;
            /**
             * Format: int32
             * @description The id of the job's category.
             */
            category_id: number | null;
            /**
             * Format: int32
             * @description The id of the region of the place of work.
             */
            district_id: number | null;
            application_method: components["schemas"]["ApplicationMethod"];
            /**
             * Format: email
             * @description The address that candidates write to.
             */
            contact_email: string | null;
            /** @description The number that candidates call. */
            contact_phone: string | null;
            /**
             * Format: uri
             * @description The page where candidates apply.
             */
            external_application_url: string | null;
            /** @description Plain text. */
            requirements: string | null;
            /** @description In words: plain text. */
            salary_benefits: string | null;
            /** @description Plain text. */
            remote_policy: string | null;
            /**
             * Format: date
             * @description The last day of the offer, as YYYY-MM-DD; null if it has none. An active job is expired after this day.
             */
            valid_until: string | null;
            /** @description The lowest salary in EUR, rounded to cents (0.1 + 0.2 is 0.30), as a decimal in a string so that no digit is lost. */
            salary_min: string | null;
            /** @description The highest salary in EUR, rounded to cents, as a decimal in a string so that no digit is lost. */
            salary_max: string | null;
            /** @description Whether the salary can be negotiated. */
            salary_negotiable: boolean;
            salary_type: components["schemas"]["SalaryType"];
            /** @description Years required. */
            experience_years: number | null;
            /** @description Required education, one per item. */
            education_details: string[] | null;
            /** @description Licences, certificates and the like, one per item. */
            professional_requirements: string[] | null;
            /** @description One per item, such as Inglês B2. */
            language_requirements: string[] | null;
            contract_type: components["schemas"]["ContractType"];
            work_modality: components["schemas"]["WorkModality"];
            education_level: components["schemas"]["EducationLevel"];
        };
        /** @description An active category of jobs. */
        Category: {
            /**
             * Format: int32
             * @description The identifier of the category. That of a child category can be used as category_id.
             */
            id: number;
            /** @description The name in Portuguese. */
            name: string;
            /** @description The name for use in URLs. */
            slug: string;
            /**
             * Format: int32
             * @description The id of the main area that this category belongs to; null if it is a main area itself.
             */
            parent_id: number | null;
        };
        /** @description A district of mainland Portugal, or an autonomous region. */
        Region: {
            /**
             * Format: int32
             * @description The identifier of the region, used as district_id.
             */
            id: number;
            /** @description The name in Portuguese. */
            name: string;
            /** @description The name for use in URLs. */
            slug: string;
        };
        /** @description The accepted values of the enumerated fields. */
        Options: {
            /** @description The values of application_method. */
            application_methods: string[];
            /** @description The values of salary_type. */
            salary_types: string[];
            /** @description The values of contract_type. */
            contract_types: string[];
            /** @description The values of work_modality. */
            work_modalities: string[];
            /** @description The values of education_level. */
            education_levels: string[];
        };
        /** @description The company of the credential, in the environment of the request. */
        Account: {
            /**
             * Format: int64
             * @description The identifier of the company.
             */
            company_id: number;
            /** @description The name of the company's plan; null without one. */
            plan: string | null;
            /** @description How many requests a minute the company may send in this environment. */
            requests_per_minute: number;
            jobs: components["schemas"]["JobQuota"];
            /**
             * @description The source of production's limit: `complimentary` if an administrator granted access that allows more jobs than the plan, otherwise `subscription`.
             * @enum {string}
             */
            access_type: "subscription" | "complimentary";
        };
        /** @description The posting quota. Withdrawing a job does not refund it. */
        JobQuota: {
            /** @description How many jobs may be posted in the period; -1 means unlimited. In the sandbox, how many it holds until it is reset. */
            limit: number;
            /** @description How many jobs were posted in the period, on the website too. In the sandbox, how many since the last reset. */
            used: number;
            /** @description How many jobs may still be posted; -1 when unlimited. */
            remaining: number;
            /**
             * Format: date
             * @description The first day of the period; null in the sandbox.
             */
            period_start: string | null;
            /**
             * Format: date
             * @description The last day of the period, at most that of the plan or the complimentary access; null in the sandbox.
             */
            period_end: string | null;
        };
        /** @description The position of the page in the list. */
        PageMeta: {
            /** @description The number of this page. */
            current_page: number;
            /** @description How many items a page holds at most. */
            per_page: number;
            /** @description The total number of matching items. */
            total: number;
            /** @description The number of the last page; 1 for an empty list. */
            last_page: number;
            /** @description The `cursor` of the next page; null on the last. Only with `updated_since`, where `current_page` is always 1 and `total` is that of the first page. */
            next_cursor?: string | null;
            /**
             * Format: date-time
             * @description The `updated_since` of the next synchronisation. Only with `updated_since`.
             */
            synced_until?: string;
            /** @description The idempotency keys of the jobs of this page, by `id`. A job that was created without a key has none. Only with `include=idempotency_keys`. */
            idempotency_keys?: {
                [key: string]: string;
            };
        };
        /** @description The body of a response with the account. */
        AccountResponse: {
            data: components["schemas"]["Account"];
        };
        /** @description The body of a response with the categories. */
        CategoryListResponse: {
            /** @description All active categories, main areas and children. */
            data: components["schemas"]["Category"][];
        };
        /** @description The body of a response with the regions. */
        RegionListResponse: {
            /** @description All regions. */
            data: components["schemas"]["Region"][];
        };
        /** @description The body of a response with the accepted values. */
        OptionsResponse: {
            data: components["schemas"]["Options"];
        };
        /** @description The body of a response with one job. */
        JobResponse: {
            data: components["schemas"]["Job"];
        };
        /** @description The body of a response with a page of jobs. */
        JobListResponse: {
            /** @description The jobs of this page. */
            data: components["schemas"]["Job"][];
            meta: components["schemas"]["PageMeta"];
        };
        /** @description Some fields are not valid. */
        ValidationError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 422;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /**
                 * @description The messages of each field, at most 50 in all. Each key is the name of a field; a message about an item of a list
                 *     begins with its number, from 1: `item 2 must ...`. Other keys:
                 *
                 *     | Key | Of what |
                 *     | --- | --- |
                 *     | `request_body` | The body as a whole: no JSON object, an empty patch, or more than 20 unknown fields. Over MCP its argument, such as `job`. |
                 *     | `query` | More than 20 unknown query parameters. Over MCP `arguments`. |
                 *     | `Idempotency-Key`, `If-Match`, `If-None-Match`, `X-Simulate` | That header. Over MCP `idempotency_key` and `if_match`. |
                 *     | `page`, `per_page`, `status`, `updated_since`, `cursor`, `idempotency_key`, `include` | That query parameter. |
                 *     | `id` | Over MCP, the argument. Over REST an impossible id is 404. |
                 *     | any other | An unknown field or parameter, cut to 100 characters. |
                 */
                details: {
                    [key: string]: string[];
                };
            };
        };
        /** @description The request cannot be processed. */
        BadRequestError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 400;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Why the request was refused. */
                details: {
                    /**
                     * @description Why the request was refused.
                     * @enum {string}
                     */
                    reason: "https" | "malformed_request";
                };
            };
        };
        /** @description The credential was refused. */
        UnauthorizedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 401;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Why the request was refused. */
                details: {
                    /**
                     * @description Why the request was refused.
                     * @enum {string}
                     */
                    reason: "credential";
                };
            };
        };
        /** @description The credential or the company may not do this. */
        ForbiddenError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 403;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Why the request was refused, and what would be needed. */
                details: {
                    /**
                     * @description Why the request was refused.
                     * @enum {string}
                     */
                    reason: "scope" | "plan" | "approval" | "quota" | "permission";
                    /**
                     * @description The scope that the credential lacks; present when the reason is scope.
                     * @enum {string}
                     */
                    required_scope?: "jobs:read" | "reference:read" | "jobs:write";
                    /**
                     * @description The field whose value is not permitted to this company; present when the reason is permission and a field caused it.
                     * @enum {string}
                     */
                    field?: "district_id";
                    /** @description The posting limit that is used up; present when the reason is quota. */
                    limit?: number;
                    /** @description Postings counted so far; present when the reason is quota. */
                    used?: number;
                    /**
                     * Format: date
                     * @description The last day of the quota period, null where the limit holds until a reset; present when the reason is quota.
                     */
                    period_end?: string | null;
                };
            };
        };
        /** @description There is no such thing for this company. */
        NotFoundError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 404;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description What was not found. */
                details: {
                    /**
                     * @description What was not found.
                     * @enum {string}
                     */
                    reason: "job" | "path";
                };
            };
        };
        /** @description The idempotency key belongs to different JSON. */
        ConflictError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 409;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description The existing data that conflicts with the request. */
                details: {
                    /**
                     * @description The existing data that conflicts with the request.
                     * @enum {string}
                     */
                    reason: "idempotency_key";
                    /** @description The top-level fields that differ from the JSON sent first with this key, at most 50. */
                    differing_fields: string[];
                    /**
                     * Format: int64
                     * @description The job that the key created. Absent if that job is gone.
                     */
                    job_id?: number;
                };
            };
        };
        /** @description What the idempotency key created was removed. */
        GoneError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 410;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description What is gone. */
                details: {
                    /**
                     * @description What is gone.
                     * @enum {string}
                     */
                    reason: "job_removed";
                };
            };
        };
        /** @description What the path names is not as the request expects it. */
        PreconditionFailedError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 412;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Why the request was refused, and the current version. */
                details: {
                    /**
                     * @description Why the request was refused.
                     * @enum {string}
                     */
                    reason: "changed";
                    /** @description The current ETag. */
                    current_etag: string;
                };
            };
        };
        /** @description The body is too large. */
        PayloadTooLargeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 413;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Why the body was refused. */
                details: {
                    /**
                     * @description Why the body was refused.
                     * @enum {string}
                     */
                    reason: "body_size";
                };
            };
        };
        /** @description The body is not plain JSON. */
        UnsupportedMediaTypeError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 415;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Why the body was refused. */
                details: {
                    /**
                     * @description Why the body was refused.
                     * @enum {string}
                     */
                    reason: "media_type" | "content_encoding";
                };
            };
        };
        /** @description A request limit is reached. */
        TooManyRequestsError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 429;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Which limit is reached, and how long to wait. */
                details: {
                    /**
                     * @description Whose limit is reached; `simulated` where X-Simulate asked for this response.
                     * @enum {string}
                     */
                    reason: "company" | "address" | "simulated";
                    /** @description How many seconds to wait, as in Retry-After. */
                    retry_after_seconds: number;
                };
            };
        };
        /** @description An error in the service. */
        InternalServerError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 500;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description Where the error happened. */
                details: {
                    /**
                     * @description Where the error happened.
                     * @enum {string}
                     */
                    reason: "internal";
                };
            };
        };
        /** @description The service is temporarily unavailable. */
        UnavailableError: {
            /** @description What went wrong. */
            error: {
                /**
                 * @description The HTTP status.
                 * @enum {integer}
                 */
                status: 503;
                /** @description What went wrong, in one or two English sentences. Meant for people; branch on status and reason instead. */
                message: string;
                /** @description The unavailable part, and how long to wait. */
                details: {
                    /**
                     * @description Why the service is unavailable; `simulated` where X-Simulate asked for this response.
                     * @enum {string}
                     */
                    reason: "database" | "sanitizer" | "draining" | "maintenance" | "overload" | "simulated";
                    /** @description How many seconds to wait, as in Retry-After. */
                    retry_after_seconds: number;
                };
            };
        };
    };
    responses: {
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content?: never;
        };
        BadRequest: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BadRequestError"];
            };
        };
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        Forbidden: {
            headers: {
                "WWW-Authenticate"?: string;
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        ChangeForbidden: {
            headers: {
                "WWW-Authenticate"?: string;
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        PostingForbidden: {
            headers: {
                "WWW-Authenticate"?: string;
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        JobNotFound: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        IdempotencyConflict: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"];
            };
        };
        JobRemoved: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoneError"];
            };
        };
        PreconditionFailed: {
            headers: {
                ETag: components["headers"]["ETag-Of-Job"];
                "Idempotency-Key"?: string;
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionFailedError"];
            };
        };
        PayloadTooLarge: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        UnsupportedMediaType: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        InvalidRequest: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        InvalidListQuery: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        InvalidJobInput: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        InvalidJobPatch: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyRequestsError"];
            };
        };
        InternalError: {
            headers: {
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalServerError"];
            };
        };
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-API-Environment": components["headers"]["X-API-Environment"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Simulate-Ignored"?: "production";
                "Cache-Control"?: string;
                "RateLimit-Limit"?: number;
                "RateLimit-Remaining"?: number;
                "RateLimit-Reset"?: number;
                "RateLimit-Policy"?: string;
                RateLimit?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
    };
    parameters: {
        /** @description The `ETag` of the response that the client has cached. While it is current, the response is 304 without a body. */
        IfNoneMatch: string;
        /** @description Act only if the resource still has this ETag, copied with its quotes; otherwise 412. */
        IfMatch: string;
        /** @description The page to read, from 1 to 1000000000; one after the last is empty. Read all pages before you change what they list: a change may move other items to an earlier page. */
        Page: number;
        /** @description How many items a page holds, 1 to 100. */
        PerPage: number;
        /** @description Only jobs in this status. Without it, jobs in every status are listed, denied ones too. */
        Status: "active" | "pending" | "inactive" | "expired";
        /** @description Only jobs changed or expired at or after this instant, oldest change first; store the last `synced_until`. Read on with `cursor`, not with `page`. */
        UpdatedSince: string;
        /** @description The `next_cursor` of the page before, with the same `updated_since`. */
        Cursor: string;
        /** @description Only the job that was created with this key, if it still exists. */
        OfIdempotencyKey: string;
        /** @description `idempotency_keys` adds the keys of the listed jobs to `meta`. */
        Include: "idempotency_keys";
        /** @description The `id` of a job of the company. */
        JobId: number;
        /** @description Your own name for this job, such as a UUID or its id with you: 1 to 128 letters, digits and `._:-`. Keep it for every retry; after 422 or 403 it may carry corrected JSON. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        "X-API-Environment": "sandbox" | "production";
        "X-Request-Id": string;
        "RateLimit-Limit": number;
        "RateLimit-Remaining": number;
        "RateLimit-Reset": number;
        "RateLimit-Policy": string;
        RateLimit: string;
        "RateLimit-Limit-If-Counted": number;
        "RateLimit-Remaining-If-Counted": number;
        "RateLimit-Reset-If-Counted": number;
        "RateLimit-Policy-If-Counted": string;
        "RateLimit-If-Counted": string;
        ETag: string;
        "ETag-Of-Job": string;
        "Idempotency-Key": string;
        "Retry-After": number;
        "WWW-Authenticate": string;
        "WWW-Authenticate-If-Scope": string;
        Location: string;
        "Idempotent-Replayed": "true";
        "X-Simulate-Ignored": "production";
        "Cache-Control": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the response that the client has cached. While it is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All active categories. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryListResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRegions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the response that the client has cached. While it is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All regions. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegionListResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDistricts: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the response that the client has cached. While it is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All regions. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegionListResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOptions: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of the response that the client has cached. While it is current, the response is 304 without a body. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accepted values. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptionsResponse"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description The page to read, from 1 to 1000000000; one after the last is empty. Read all pages before you change what they list: a change may move other items to an earlier page. */
                page?: components["parameters"]["Page"];
                /** @description How many items a page holds, 1 to 100. */
                per_page?: components["parameters"]["PerPage"];
                /** @description Only jobs in this status. Without it, jobs in every status are listed, denied ones too. */
                status?: components["parameters"]["Status"];
                /** @description Only jobs changed or expired at or after this instant, oldest change first; store the last `synced_until`. Read on with `cursor`, not with `page`. */
                updated_since?: components["parameters"]["UpdatedSince"];
                /** @description The `next_cursor` of the page before, with the same `updated_since`. */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only the job that was created with this key, if it still exists. */
                idempotency_key?: components["parameters"]["OfIdempotencyKey"];
                /** @description `idempotency_keys` adds the keys of the listed jobs to `meta`. */
                include?: components["parameters"]["Include"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of jobs. */
            200: {
                headers: {
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidListQuery"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header: {
                /** @description Your own name for this job, such as a UUID or its id with you: 1 to 128 letters, digits and `._:-`. Keep it for every retry; after 422 or 403 it may carry corrected JSON. */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description The new job. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobInput"];
            };
        };
        responses: {
            /** @description The key was used before with the same JSON. Nothing was created; this is the job as it is now. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag-Of-Job"];
                    "Idempotency-Key"?: string;
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            /** @description The job was created. */
            201: {
                headers: {
                    ETag: components["headers"]["ETag-Of-Job"];
                    "Idempotency-Key"?: string;
                    Location: components["headers"]["Location"];
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PostingForbidden"];
            409: components["responses"]["IdempotencyConflict"];
            410: components["responses"]["JobRemoved"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidJobInput"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of a job of the company. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag-Of-Job"];
                    "Idempotency-Key"?: string;
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdrawJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Act only if the resource still has this ETag, copied with its quotes; otherwise 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The `id` of a job of the company. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is withdrawn. There is no body. */
            204: {
                headers: {
                    ETag: components["headers"]["ETag-Of-Job"];
                    "Idempotency-Key"?: string;
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["JobNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description The withdrawn job, where HTTP has no body. */
            "x-mcp": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
        };
    };
    updateJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Act only if the resource still has this ETag, copied with its quotes; otherwise 412. */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @description The `id` of a job of the company. */
                id: components["parameters"]["JobId"];
            };
            cookie?: never;
        };
        /** @description The fields to change, at least one. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["JobPatch"];
            };
        };
        responses: {
            /** @description The job after the change. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag-Of-Job"];
                    "Idempotency-Key"?: string;
                    "X-API-Environment": components["headers"]["X-API-Environment"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Simulate-Ignored"?: "production";
                    "Cache-Control"?: string;
                    "RateLimit-Limit": components["headers"]["RateLimit-Limit"];
                    "RateLimit-Remaining": components["headers"]["RateLimit-Remaining"];
                    "RateLimit-Reset": components["headers"]["RateLimit-Reset"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ChangeForbidden"];
            404: components["responses"]["JobNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["InvalidJobPatch"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
export interface ParameterDefaults {
    "getAccount": { query: never; header: never };
    "listCategories": { query: never; header: never };
    "listRegions": { query: never; header: never };
    "listDistricts": { query: never; header: never };
    "listOptions": { query: never; header: never };
    "listJobs": { query: "page" | "per_page"; header: never };
    "createJob": { query: never; header: never };
    "getJob": { query: never; header: never };
    "updateJob": { query: never; header: never };
    "withdrawJob": { query: never; header: never };
}
