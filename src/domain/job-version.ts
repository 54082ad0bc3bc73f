interface Shown {
  readonly id: number;
  readonly status: string;
  readonly updated_at: string | null;
  readonly company_name: string | null;
}

/** What is different after each change of a job, and once it has expired. */
export const versionOf = ({ updated_at, status }: Pick<Shown, 'updated_at' | 'status'>): string =>
  `${updated_at}/${status}`;

/** The strong ETag of a job as it is shown. Its fields say it, so a job of a list has it too; the typed client runs this in browsers. */
export const etagOfJob = (job: Shown): string =>
  `"${job.id}/${versionOf(job)}/${percentEncoded(job.company_name ?? '')}"`;

/** RFC 3986: all but letters, digits and `-._~`. */
const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
