import { ContractText } from './contract-text.tsx';
import { useTexts } from './texts.ts';

/** A code block; the script adds a button that copies it. */
export const Code = ({ text }: { readonly text: string }) => (
  <pre data-copy>
    <code>{text}</code>
  </pre>
);

/** Values as code, separated by commas. */
export const CodeList = ({ values }: { readonly values: readonly string[] }) => (
  <>
    {values.map((value, at) => (
      <>
        {at > 0 && ', '}
        <code>{value}</code>
      </>
    ))}
  </>
);

interface ExamplesProps {
  readonly examples: readonly { readonly summary: string; readonly value: unknown }[];
}

export const Examples = ({ examples }: ExamplesProps) => (
  <>
    {examples.map(({ summary, value }) => (
      <details key={summary}>
        <summary>
          {useTexts().docs.example}
          <ContractText>{summary}</ContractText>
        </summary>
        <Code text={JSON.stringify(value, null, 2)} />
      </details>
    ))}
  </>
);
