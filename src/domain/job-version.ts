interface Shown {
  readonly id: number;
  readonly status: string;
  readonly updated_at: string | null;
  readonly company_name: string | null;
}

/** Returns a text that changes with each change of a job, and when the job expires. */
export const versionOf = ({ updated_at, status }: Pick<Shown, 'updated_at' | 'status'>): string =>
  `${updated_at}/${status}`;

/**
 * The strong ETag of a job as it is shown. It is made from the job's fields only, so jobs in lists have one too. The typed client runs this
 * function in browsers.
 */
export const etagOfJob = (job: Shown): string =>
  `"${job.id}/${versionOf(job)}/${percentEncoded(job.company_name ?? '')}"`;

/**
 * Whether a tag has the form of a job's ETag as the service sends it. A compressing proxy writes W/ before the tag or -gzip at its end. The
 * company's name is also at the end and may itself end with -gzip, so a tag that ends with this job's company name is accepted.
 */
export function isEtagOfJob(tag: string, job: Shown): boolean {
  const ofJob = etagOfJob(job);
  const isNamed = tag.endsWith(ofJob.slice(ofJob.lastIndexOf('/')));
  return /^"\d+\/[^"/]+\/[a-z]+\/[\w.~%-]*"$/.test(tag) && (isNamed || !/-(gzip|br|zstd|deflate)"$/.test(tag));
}

/** Encodes everything except letters, digits and `-._~` (RFC 3986). */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
