interface Shown {
  readonly id: number;
  readonly status: string;
  readonly updated_at: string | null;
  readonly company_name: string | null;
}

/** A text that differs after each change of a job, and once the job has expired. */
export const versionOf = ({ updated_at, status }: Pick<Shown, 'updated_at' | 'status'>): string =>
  `${updated_at}/${status}`;

/**
 * The strong ETag of a job as it is shown. It follows from the job's fields, so jobs in lists have one too. The typed client runs this in
 * browsers.
 */
export const etagOfJob = (job: Shown): string =>
  `"${job.id}/${versionOf(job)}/${percentEncoded(job.company_name ?? '')}"`;

/**
 * Whether a tag is the ETag of a version of the job. Proxies that compress answers write W/ before a tag or -gzip into its end, where also
 * the company's name is, which may end so itself.
 */
export function isEtagOfJob(tag: string, job: Shown): boolean {
  const ofJob = etagOfJob(job);
  const isNamed = tag.endsWith(ofJob.slice(ofJob.lastIndexOf('/')));
  return /^"\d+\/[^"/]+\/[a-z]+\/[\w.~%-]*"$/.test(tag) && (isNamed || !/-(gzip|br|zstd|deflate)"$/.test(tag));
}

/** RFC 3986: encodes all but letters, digits and `-._~`. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
