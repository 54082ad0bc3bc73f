import type pg from 'pg';

/** A node of PostgreSQL's trees: `{OPEXPR :opfuncid 1189 :args (...)}`. */
export interface TreeNode {
  readonly tag: string;
  readonly fields: Readonly<Record<string, Item>>;
}

export type Item = string | TreeNode | readonly Item[];

export const isNode = (item: Item | undefined): item is TreeNode => typeof item === 'object' && 'tag' in item;

export const listOf = (item: Item | undefined): readonly Item[] => (Array.isArray(item) ? item : []);

/** The direct children of a node or list. */
export const childrenOf = (item: Item): readonly Item[] =>
  isNode(item) ? Object.values(item.fields) : typeof item === 'string' ? [] : item;

function readTree(text: string): Item {
  const tokens = text.match(/[{}()]|"(?:[^"\\]|\\.)*"|(?:\\.|[^\s(){}])+/gs) ?? [];
  let place = 0;
  function readItem(): Item {
    const token = tokens[place++] ?? '';
    if (token === '(') {
      const items: Item[] = [];
      while (tokens[place] !== ')') items.push(readItem());
      place++;
      return items;
    }
    if (token !== '{') return token;
    const tag = tokens[place++] ?? '';
    const fields: Record<string, Item> = {};
    while (tokens[place] !== '}') {
      const name = (tokens[place++] ?? '').slice(1);
      const values: Item[] = [];
      while (tokens[place] !== '}' && !/^:\w/.test(tokens[place] ?? '')) values.push(readItem());
      fields[name] = values.length === 1 && values[0] !== undefined ? values[0] : values;
    }
    place++;
    return { tag, fields };
  }
  return readItem();
}

/**
 * The tree of a statement after PostgreSQL's analysis, and the functions that it calls. PostgreSQL shows the body of an SQL function, so
 * the statement becomes one, in a transaction that is rolled back. `parameters` have a type, and a name if the statement uses names.
 */
export async function analyze(client: pg.ClientBase, text: string, parameters: readonly string[]): Promise<Item> {
  // Otherwise Citus would send the function to each node.
  await client.query('BEGIN; SET LOCAL citus.enable_ddl_propagation = off');
  try {
    await client.query(
      `CREATE FUNCTION analyzed(${parameters.join(', ')}) RETURNS void LANGUAGE sql BEGIN ATOMIC ${text}; END`,
    );
    const { rows } = await client.query<{ tree: string }>(
      `SELECT prosqlbody::text AS tree FROM pg_proc WHERE proname = 'analyzed'`,
    );
    return readTree(rows[0]?.tree ?? '');
  } finally {
    await client.query('ROLLBACK');
  }
}

/** The types that PostgreSQL finds for `$1`, `$2` and so on. */
export async function parameterTypes(client: pg.ClientBase, text: string): Promise<string[]> {
  const types = `SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'asked'`;
  // In one message: the connections to the embedded database share their prepared statements, and one that opens or closes deletes them.
  const results: unknown = await client.query(`PREPARE asked AS ${text}; ${types}; DEALLOCATE asked`);
  const [, asked] = results as readonly pg.QueryResult<{ types: string[] }>[];
  return asked?.rows[0]?.types ?? [];
}

/** An SQL statement of a PL/pgSQL function, with the variables that it may use, such as `made jobs`. */
export interface FunctionStatement {
  readonly text: string;
  readonly parameters: readonly string[];
}

const comment = /--.*$|^#variable_conflict .*$/gm;
const beforeStatement = /^(?:BEGIN|LOOP|ELSE|IF\b[\s\S]*?\bTHEN|ELSIF\b[\s\S]*?\bTHEN|RETURN QUERY)\s+/i;

/** The statements of a file of functions in PL/pgSQL. */
export const functionStatements = (file: string): FunctionStatement[] =>
  [...file.replace(comment, '').matchAll(functionText)].flatMap(([, args = '', table = '', body = '']) => {
    const [declared, code] = /\bDECLARE\b/.test(body)
      ? splitAt(body.replace(/^[\s\S]*?\bDECLARE\b/, ''), /\bBEGIN\b/)
      : ['', body];
    const variables = declared.split(';').map((line) => line.replace(/:=[\s\S]*$/, ''));
    const parameters = [...`${args},${table}`.split(','), ...variables].map((one) => one.trim()).filter(Boolean);
    return code.split(';').flatMap((part) => {
      let text = part.trim();
      while (beforeStatement.test(text)) text = text.replace(beforeStatement, '');
      if (!/^(SELECT|INSERT|UPDATE|DELETE|PERFORM)\b/.test(text)) return [];
      return [{ text: text.replace(/^PERFORM\b/, 'SELECT').replace(/(?<!INSERT )\bINTO \w+(, \w+)*/, ''), parameters }];
    });
  });

const functionText =
  /CREATE OR REPLACE FUNCTION \w+\s*\(([^)]*)\)\s*RETURNS\s+(?:TABLE \(([^)]*)\)|\S+)[^$]*\$\$([\s\S]*?)\$\$;/g;

function splitAt(text: string, word: RegExp): [string, string] {
  const place = text.search(word);
  return [text.slice(0, place), text.slice(place)];
}
