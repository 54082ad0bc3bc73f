/** The only place for raw HTML that people send: it is sanitized before it is stored or shown in a preview. */
export const SanitizedHtml = ({ html }: { readonly html: string }) => (
  <div class="job-body" dangerouslySetInnerHTML={{ __html: html }} />
);
