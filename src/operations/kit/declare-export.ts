import type * as z from 'zod';
import type { Context } from '../../context.ts';
import type { Environment } from '../../domain/environment.ts';
import {
  type Command,
  type Declaration,
  type Declared,
  declareFile,
  type ListedPage,
  type Shown,
  type SubjectOf,
  shownName,
} from './declare.ts';

/** The next rows are read when the client has taken these: so many are held for each file that is being sent. */
const rowsAtOnce = 100;

/**
 * Texts that a spreadsheet would run as a formula: a formula at the start of a cell, or after a character that separates cells in another
 * country or program. See OWASP, CSV Injection.
 */
const formula = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=[ "']*[=+\-@＝＋－＠])/g;

/** How a file is written where numbers have a point, and where they have a comma. */
const styles = { comma: { between: ',', point: '.' }, semicolon: { between: ';', point: ',' } } as const;
type Style = (typeof styles)[keyof typeof styles];

/** A cell as RFC 4180 writes it, with an item of a list a line. A text that could be a formula gets an apostrophe before it. */
function cellOf(value: unknown, style: Style): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number') return String(value).replace('.', style.point);
  if (Array.isArray(value)) return cellOf(value.map(textOf).join('\n'), style);
  const text = textOf(value).replace(formula, "'");
  return /[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const lineOf = (cells: readonly unknown[], style: Style): string =>
  `${cells.map((cell) => cellOf(cell, style)).join(style.between)}\r\n`;

/** Without the byte order mark, Excel reads UTF-8 in the code page of its machine, and accents are lost. */
const mark = '\ufeff';

interface Exported<Input extends z.ZodObject> extends Declared<Input> {
  /** Throws `unknown_company`. */
  readonly subject: SubjectOf<Input>;
  readonly list: Command & Required<Pick<Declaration, 'columns'>> & { readonly items: string };
  /** What the rows have besides the list's columns. */
  readonly more: readonly string[];
  /** Reads at most `rowsMax` rows that come before a position. */
  readonly read: (
    ctx: Context,
    input: z.output<Input> & { readonly before: bigint | undefined },
    rowsMax: number,
  ) => Promise<ListedPage>;
}

/** Declares a CSV file of everything that a company's list finds, in the list's columns and with what its rows have besides. It throws `unknown_company`. */
export const declareExport = <
  Input extends z.ZodObject<{
    companyId: z.ZodType<bigint>;
    environment: z.ZodType<Environment>;
    separator: z.ZodType<keyof typeof styles>;
  }>,
>({
  list,
  more,
  read,
  subject,
  ...declared
}: Exported<Input>) =>
  declareFile({
    ...declared,
    subject,
    read: async (ctx, input) => {
      const pageAt = (before?: bigint) => read(ctx, { ...input, before }, rowsAtOnce);
      await subject(ctx, input);
      const first = await pageAt();
      const columns = [...Object.keys(list.columns), ...more];
      const style = styles[input.separator];
      const names = columns.map((name) => shownName(list, name));
      const lines = async function* () {
        yield mark + lineOf(names, style);
        for (let page = first; ; page = await pageAt(page.next)) {
          yield (page.items as Shown[])
            .map((row) =>
              lineOf(
                columns.map((name) => row[name]),
                style,
              ),
            )
            .join('');
          if (!page.next) return;
        }
      };
      const name = `${list.items}-${input.companyId}-${input.environment}.csv`;
      return { name, type: 'text/csv; charset=utf-8', lines: lines() };
    },
  });
