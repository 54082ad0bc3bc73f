import type * as z from 'zod';
import type { Context } from '../../context.ts';
import type { Environment } from '../../domain/environment.ts';
import {
  type Command,
  type Declaration,
  type Declared,
  declareFile,
  type ListedPage,
  rowsAtOnce,
  type Shown,
  type SubjectOf,
  shownName,
} from './declare.ts';

/**
 * The places in a text where a spreadsheet may see a formula begin: at the start, or after any character that some program takes as the end
 * of a cell or line. A space is none of these, because it separates words. See OWASP, CSV Injection.
 */
const formula = /(?<=^|[,;|\p{Cc}\u2028\u2029])(?=[ "']*[=+\-@＝＋－＠])/gu;

/** Some programs skip such a character. Not a part of `formula`, which is then up to twice as fast. */
const startsWithControl = /^\p{Cc}/u;

/** The cell separator and the decimal mark, for countries with a decimal point and for those with a decimal comma. */
const styles = { comma: { between: ',', point: '.' }, semicolon: { between: ';', point: ',' } } as const;
type Style = (typeof styles)[keyof typeof styles];

/** Writes a cell as in RFC 4180, with each item of a list on its own line. Puts an apostrophe before a text that could be a formula. */
function cellOf(value: unknown, style: Style): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value).replace('.', style.point);
  if (Array.isArray(value)) return cellOf(value.map(textOf).join('\n'), style);
  const sent = textOf(value);
  const text = (startsWithControl.test(sent) ? "'" : '') + sent.replace(formula, "'");
  return /[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const lineOf = (cells: readonly unknown[], style: Style): string =>
  `${cells.map((cell) => cellOf(cell, style)).join(style.between)}\r\n`;

/** The byte order mark. Without it, Excel reads UTF-8 as its machine's code page, and accents are lost. */
const mark = '\ufeff';

interface Exported<Input extends z.ZodObject, Row extends object> extends Declared<Input> {
  readonly subject: SubjectOf<Input>;
  readonly list: Command & Required<Pick<Declaration, 'columns'>> & { readonly items: string };
  /** The names of further columns, which the list does not show. */
  readonly more: readonly string[];
  /** Reads at most `rowsMax` rows before the cursor `before`. The page may have fewer items, because a filter leaves out some rows. */
  readonly read: (
    ctx: Context,
    input: z.output<Input> & { readonly before: bigint | undefined },
    rowsMax: number,
  ) => Promise<ListedPage<Row>>;
  /** Completes rows of resources, whose cells may be long. Leaves out a row that is gone. */
  readonly complete?: (ctx: Context, input: z.output<Input>, rows: readonly Row[]) => Promise<readonly object[]>;
}

/** Declares a CSV file of all rows of a company's list, in the list's columns and those in `more`. */
export const declareExport = <
  Input extends z.ZodObject<{
    companyId: z.ZodType<bigint>;
    environment: z.ZodType<Environment>;
    separator: z.ZodType<keyof typeof styles>;
  }>,
  Row extends object,
>({
  list,
  more,
  read,
  complete = async (_ctx, _input, rows) => rows,
  ...declared
}: Exported<Input, Row>) =>
  declareFile({
    ...declared,
    read: async (ctx, input) => {
      const pageAt = (before?: bigint, rowsMax: number = rowsAtOnce.others) => read(ctx, { ...input, before }, rowsMax);
      // Throws what the first page would.
      await pageAt(undefined, 1);
      const columns = [...Object.keys(list.columns), ...more];
      const style = styles[input.separator];
      const names = columns.map((name) => shownName(list, name));
      const lines = async function* () {
        yield mark + lineOf(names, style);
        for (let page = await pageAt(); ; page = await pageAt(page.next)) {
          for (let at = 0; at < page.items.length; at += rowsAtOnce.resources) {
            const rows = await complete(ctx, input, page.items.slice(at, at + rowsAtOnce.resources));
            for (const row of rows as Shown[]) {
              const cells = columns.map((name) => row[name]);
              yield lineOf(cells, style);
            }
          }
          if (!page.next) return;
          // A page without rows gives the place back, too.
          if (page.items.length === 0) yield '';
        }
      };
      const name = `${list.items}-${input.companyId}-${input.environment}.csv`;
      return { name, type: 'text/csv; charset=utf-8', lines: lines() };
    },
  });
