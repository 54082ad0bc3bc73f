import type { ComponentChildren } from 'preact';
import type { ContractView } from './contract-view.ts';
import { schemaNames } from './schemas.tsx';

/** The anchor of a heading: “Creating once, and retrying” is creating-once-and-retrying. */
export const slugOf = (heading: string): string => heading.toLowerCase().replace(/[^a-z0-9]+/g, '-');

interface ContentsProps {
  readonly view: ContractView;
  readonly sections: readonly { readonly heading: string }[];
}

/** The table of contents, beside the text where there is room. */
export const Contents = ({ view, sections }: ContentsProps) => (
  <nav aria-label="Contents" class="contents">
    <ul>
      {sections.map(({ heading }) => (
        <Entry key={heading} to={slugOf(heading)} text={heading} />
      ))}
      <Entry to="setup" text="Set up the examples" />
      {(view.document.tags ?? []).map(({ name }) => (
        <Entry key={name} to={slugOf(name)} text={name}>
          {view.operations
            .filter(({ tag }) => tag === name)
            .map(({ operationId, summary }) => (
              <Entry key={operationId} to={operationId} text={summary} />
            ))}
        </Entry>
      ))}
      <Entry to="error-responses" text="Error responses" />
      <Entry to="response-headers" text="Response headers" />
      <Entry to="schemas" text="Schemas">
        {schemaNames(view).map((name) => (
          <Entry key={name} to={name} text={name} />
        ))}
      </Entry>
      <Entry to="tools" text="Tools (MCP)" />
    </ul>
  </nav>
);

interface EntryProps {
  readonly to: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

const Entry = ({ to, text, children }: EntryProps) => (
  <li>
    <a href={`#${to}`}>{text}</a>
    {children && <ul>{children}</ul>}
  </li>
);
