import { lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';

/** Renders Markdown as elements, never as raw HTML: HTML in it is shown as text. */
export const Markdown = ({ text }: { readonly text: string }): VNode => <>{children(lexer(text))}</>;

/** Renders one line of Markdown without a paragraph around it. */
export const InlineMarkdown = ({ text }: { readonly text: string }): VNode => (
  <>{children(lexer(text).flatMap(inlineOf))}</>
);

const inlineOf = (token: Token): Token[] => ('tokens' in token ? (token.tokens ?? []) : [token]);

const children = (tokens: readonly Token[] | undefined): ComponentChildren =>
  (tokens ?? []).map((token, at) => <Part key={at} token={token} />);

function Part({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'paragraph':
      return <p>{children(token.tokens)}</p>;
    case 'strong':
      return <strong>{children(token.tokens)}</strong>;
    case 'em':
      return <em>{children(token.tokens)}</em>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'link':
      return <a href={safeAddress(token.href)}>{children(token.tokens)}</a>;
    case 'list':
      return (
        <ul>
          {(token as Tokens.List).items.map((item) => (
            <li key={item.raw}>{children(item.tokens)}</li>
          ))}
        </ul>
      );
    case 'space':
      return null;
    default:
      return (
        <>{'tokens' in token && token.tokens ? children(token.tokens) : 'text' in token ? plain(token) : token.raw}</>
      );
  }
}

/** marked escapes the text of some tokens for HTML; `raw` is not escaped. */
const plain = ({ raw, text, type }: Token & { text?: string }): string => (type === 'escape' ? (text ?? raw) : raw);

const safeAddress = (href: string): string => (/^(https:|mailto:|\/|#)/.test(href) ? href : '#');
