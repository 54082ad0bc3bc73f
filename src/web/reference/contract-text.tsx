import type { ComponentChildren } from 'preact';
import { InlineMarkdown, Markdown } from './markdown.tsx';
import { useTexts } from './texts.ts';

/** The contract is English: on a page in another language its texts say so, for screen readers and translators. */
export function ContractText({ children }: { readonly children: ComponentChildren }) {
  return useTexts().tag === 'en' ? children : <span lang="en">{children}</span>;
}

export function ContractMarkdown({ text }: { readonly text: string }) {
  const markdown = <Markdown text={text} />;
  return useTexts().tag === 'en' ? markdown : <div lang="en">{markdown}</div>;
}

export const InlineContractMarkdown = ({ text }: { readonly text: string }) =>
  text === '' ? null : (
    <ContractText>
      <InlineMarkdown text={text} />
    </ContractText>
  );
