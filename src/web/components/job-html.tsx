/** The only place for raw HTML: it is sanitized. */
export const JobHtml = ({ html }: { readonly html: string }) => (
  <div class="job-body" dangerouslySetInnerHTML={{ __html: html }} />
);
