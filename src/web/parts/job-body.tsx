/** The one door for raw HTML: the body of a job, which has passed the sanitizer before it was stored. */
export const JobBody = ({ body }: { readonly body: string }) => (
  <div class="job-body" dangerouslySetInnerHTML={{ __html: body }} />
);
