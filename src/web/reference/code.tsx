/** Something to paste, with a button that copies it where scripts run. */
export const Code = ({ text }: { readonly text: string }) => (
  <pre data-copy>
    <code>{text}</code>
  </pre>
);

export const JsonExample = ({ summary, value }: { readonly summary: string; readonly value: unknown }) => (
  <details>
    <summary>Example: {summary}</summary>
    <Code text={JSON.stringify(value, null, 2)} />
  </details>
);
