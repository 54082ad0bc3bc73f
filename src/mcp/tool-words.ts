import { operationOf, wholeBody } from '../contract/document.ts';
import { type Tool, tools } from '../contract/tools.ts';
import { ApiError } from '../domain/errors.ts';

type Names = ReadonlyMap<string, string>;

/** Per tool, from the contract's name of a header parameter or the whole body to the tool's argument. */
const argumentNames: ReadonlyMap<Tool, Names> = new Map(
  tools.map((tool) => [
    tool,
    new Map(
      Object.entries(tool.arguments).flatMap(([argument, route]): [string, string][] => {
        if (route === 'body') return [[wholeBody, argument]];
        return route.startsWith('header:') ? [[route.replace(/^header:/, ''), argument]] : [];
      }),
    ),
  ]),
);

/** From `GET /categories` to `list_categories`. */
const requestNames: Names = new Map(
  tools.map(({ operationId, tool }) => {
    const { method, path } = operationOf(operationId);
    return [`${method.toUpperCase()} ${path}`, tool.name];
  }),
);

export const argumentNamesOf = (tool: Tool): Names => argumentNames.get(tool) ?? new Map();

/** Rewrites the texts of a refusal: tools and arguments instead of REST's requests and headers. */
export function inToolWords(tool: Tool, { status, code, message, details, headers }: ApiError): ApiError {
  const names = new Map([...requestNames, ...argumentNamesOf(tool)]);
  const texts = (value: unknown): unknown => (Array.isArray(value) ? value.map((text) => renamed(text, names)) : value);
  const fields = Object.fromEntries(Object.entries(details).map(([field, messages]) => [field, texts(messages)]));
  return new ApiError(status, code, String(renamed(message, names)), status === 422 ? fields : details, { ...headers });
}

function renamed(text: unknown, names: Names): unknown {
  if (typeof text !== 'string') return text;
  // Longest first: GET /jobs is a prefix of GET /jobs/{id}.
  const longestFirst = [...names].sort(([a], [b]) => b.length - a.length);
  return longestFirst.reduce((said, [name, word]) => said.replaceAll(name, word), text);
}
