import { type ContractView, jsonOf, nameOf, type Schema } from './contract-view.ts';
import { Fields } from './fields.tsx';
import { Markdown } from './markdown.tsx';

/** The objects that requests and successful responses are made of, each once. */
export const Schemas = ({ view }: { readonly view: ContractView }) => (
  <section id="schemas">
    <h2>Schemas</h2>
    {schemaNames(view).map((name) => {
      const schema = view.resolve<Schema>({ $ref: `#/components/schemas/${name}` });
      return (
        <section key={name} id={name}>
          <h3>{name}</h3>
          <Markdown text={schema.description ?? ''} />
          <Fields view={view} schema={schema} />
        </section>
      );
    })}
  </section>
);

export function schemaNames(view: ContractView): string[] {
  const found = new Set<string>();
  const session = (written: unknown): void => {
    if (typeof written !== 'object' || written === null) return;
    const name = nameOf(written);
    if (name === undefined) {
      for (const inner of Object.values(written)) session(inner);
      return;
    }
    const schema = view.resolve<Schema>(written);
    if (schema.type !== 'object' || found.has(name)) return;
    found.add(name);
    session(schema.properties);
  };
  for (const { body, responses } of view.operations) {
    session(jsonOf(body)?.schema);
    for (const { status, response } of responses) if (status < 400) session(jsonOf(response)?.schema);
  }
  return [...found];
}
