import type * as z from 'zod';
import type { Context } from '../../context.ts';
import type { Actor, ActorNames } from '../../domain/actor.ts';
import type { AuditAction } from '../../domain/audit-actions.ts';
import { unlimited } from '../../domain/eligibility.ts';
import { type ApiError, invalidField, notAllowed, unknownCompany } from '../../domain/errors.ts';
import type { Message } from '../../domain/message.ts';
import { checkInput, fieldsOf, metaOf } from './fields.ts';
import { isCompany, type RecordedEntry } from './recorded-sql.ts';

/** The values of an answer, by name. An id is a bigint: pages and tables show bigints without thousands separators. */
export type Shown = Readonly<Record<string, unknown>>;

/** Who may do something: the operator on the command line, administrators, a company's main account, or any of its people. */
export type By = 'operator' | 'administrator' | 'main account' | 'person';

/** The choices of a field. Each is a value and its label: a name, shown as it is, or a Message, which is translated. */
type Choices = readonly (readonly [value: string, label: string | Message])[];

/** Reads a field's choices. `given` is the part of the input that is already filled in. */
export type ChoicesOf = (ctx: Context, given: Shown) => Promise<Choices>;

export interface Declared<Input extends z.ZodObject> {
  /** The command: a noun, and usually a verb. */
  readonly command: string;
  readonly title: string;
  /** The text of the link to this operation on the page of what it changes. Defaults to the title. */
  readonly label?: string;
  readonly by: readonly By[];
  readonly input: Input;
  /** By field: reads the choices that a page offers. Only for fields whose values are in the database rather than in the schema. */
  readonly choices?: Readonly<Record<string, ChoicesOf>>;
  /** Whether the operation reads rows of all companies, with `$queryRaw`. If a node is down, the answer omits its companies and names the node. */
  readonly acrossCompanies?: boolean;
}

export type Command = Pick<Declared<z.ZodObject>, 'command'>;

/** The name of the field that holds the id of a noun, such as companyId. */
export const idField = (noun: string): string => `${noun}Id`;

/** Whether a field holds the id of a noun. A form's address or the signed-in person supplies it. */
export const isIdField = (name: string): boolean => name.endsWith('Id');

/** The name of the field that holds the id of the command's noun. */
export const idFieldOf = ({ command }: Command): string => idField(command.replace(/ .*/, ''));

/** The name in JSON: `createdAt` becomes created_at, and a company's `id` becomes company_id. */
export const shownName = (command: Command, name: string): string =>
  (name === 'id' ? idFieldOf(command) : name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** All values of a result or row, by their names in JSON. */
const shownOf = (command: Command, values: object): Shown =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [shownName(command, name), value]));

/** What holds already, so that a change has nothing to do. It is said instead of `done`. */
export interface Settled extends Message {
  /** The entry of the audit trail that brought it about, if the actor may know who decides. */
  readonly entry?: RecordedEntry & { readonly names: ActorNames };
}

/** A result that changed nothing has `settled`. */
export interface Unchanged {
  readonly settled?: Settled | undefined;
}

/** The subject of a form, read before the form is filled in. */
export interface Subject {
  /** The name of the subject. */
  readonly name?: string | undefined;
  /** The subject's current values, by the form's fields. */
  readonly values?: Shown;
  /** If there is nothing to change: the message that replaces the form, unless something is typed in it. */
  readonly settled?: Settled | undefined;
  /** Why the change would be refused now. Shown in place of an empty form; a form that is sent is judged by the change itself. */
  readonly refused?: ApiError;
}

/** The fields that a form's address or the signed-in person may supply. */
type Named<Input extends z.ZodObject> = Pick<
  z.output<Input>,
  keyof z.output<Input> & (`${string}Id` | 'email' | 'environment')
>;

/** Reads the subject of a form. */
export type SubjectOf<Input extends z.ZodObject> = (ctx: Context, named: Named<Input>) => Promise<Subject>;

/** The context of a change, with the facts that `recorded` needs in addition. */
export interface ChangeContext extends Context {
  readonly records: AuditAction;
  /** The person's reason, for the audit trail. */
  readonly reason?: string | undefined;
  readonly whileSuspended?: boolean | undefined;
}

interface Change<Input extends z.ZodObject, Result> extends Declared<Input> {
  /** The action in the audit trail. */
  readonly records: AuditAction;
  /** A warning of the consequences. The form asks for confirmation. */
  readonly dangerous?: string;
  /** Whether people of a suspended company may make this change. True only for changes that end or remove something. */
  readonly whileSuspended?: boolean;
  /** The message after the change, with placeholders for values of the answer or the result. */
  readonly done: string | ((result: NoInfer<Result>) => string);
  readonly shows?: (result: Result, input: z.output<Input>) => Shown;
  /** The subject of the form. Throws what `run` throws for an unknown id. */
  readonly subject?: SubjectOf<Input>;
  readonly run: (ctx: ChangeContext, input: z.output<Input>) => Promise<Result>;
}

interface Show<Input extends z.ZodObject, Result> extends Declared<Input> {
  readonly shows?: (result: Result) => Shown;
  readonly read: (ctx: Context, input: z.output<Input>) => Promise<Result>;
}

/** One page of a list: either a numbered page, or one with the cursor of the next page. */
export interface ListedPage<Row = object> extends LeftOut {
  readonly items: readonly Row[];
  /** From 1. */
  readonly page?: number;
  readonly lastPage?: number;
  readonly total?: number;
  /** How many entries were searched, if not all. They are the newest ones, unless `searchedFrom` says that they are the oldest. */
  readonly searched?: number;
  readonly searchedFrom?: 'oldest' | undefined;
  /** Rows with similar names, if no row has the searched name. */
  readonly near?: readonly { readonly id: bigint; readonly name: string }[];
  /** The value of `before` for the next page, if there is one. */
  readonly next?: bigint | null | undefined;
}

/** The nodes that did not respond. The answer omits their companies. */
export interface LeftOut {
  readonly leftOutNodes?: readonly number[];
}

interface List<Input extends z.ZodObject, Row extends object, Page extends ListedPage> extends Declared<Input> {
  /** The list's name in JSON. */
  readonly items: string;
  /** The headings of a table. JSON includes every property of a row. */
  readonly columns: { readonly [Name in keyof NoInfer<Row>]?: string };
  readonly read: (ctx: Context, input: z.output<Input>) => Promise<Page & ListedPage<Row>>;
}

/** The answer to a person or program. `done` is the message after a change. */
export interface Answer {
  readonly shown: Shown;
  readonly done?: Message;
  /** Given instead of `done` if nothing was changed. */
  readonly settled?: Settled;
  readonly rows?: readonly Shown[];
  readonly file?: DataFile;
}

/** How many rows a file's reader holds. Resources of the contract may be long. */
export const rowsAtOnce = { resources: 8, others: 100 } as const;

/**
 * A file that is read while it is sent. Each object in `lines` becomes a line of JSON; a string is sent as it is, and has at most one row.
 * Before the first line is read, the file holds no rows.
 */
export interface DataFile {
  readonly name: string;
  readonly type: 'application/jsonl' | 'text/csv; charset=utf-8';
  readonly lines: AsyncIterable<Shown | string>;
}

/** Any declaration, for adapters that treat all of them alike. */
export interface Declaration<Result = unknown> extends Declared<z.ZodObject> {
  readonly records?: AuditAction;
  readonly dangerous?: string;
  readonly whileSuspended?: boolean;
  readonly isFile?: boolean;
  readonly subject: (ctx: Context, given: Shown) => Promise<Subject>;
  readonly choicesOf: (ctx: Context, given: Shown) => Promise<Readonly<Record<string, Choices>>>;
  readonly columns?: Readonly<Record<string, string | undefined>>;
  readonly perform: (ctx: Context, given: Shown) => Promise<Result>;
  readonly answer: (ctx: Context, given: Shown) => Promise<Answer>;
}

/** Declares a change. The returned function checks the actor and the input, then runs the change. */
export const declare = <Input extends z.ZodObject, Result>({
  run,
  shows,
  done,
  subject,
  ...declared
}: Change<Input, Result>) =>
  operation(
    declared,
    (ctx, input) => {
      const { records, whileSuspended } = declared;
      // The cast is safe: `reason()` makes every input's reason, and it is a text.
      return run({ ...ctx, records, whileSuspended, reason: input.reason as string | undefined }, input);
    },
    (result: Result & Unchanged, input) => {
      const { settled, ...made } = result;
      const id = idFieldOf(declared);
      const shown = shows
        ? shows(result, input)
        : shownOf(declared, { ...(id in input && { [id]: input[id] }), ...made });
      if (settled) return { shown, settled };
      const text = typeof done === 'string' ? done : done(result);
      const limits = fieldsOf(declared.input).filter(({ name, kind }) => kind === 'limit' && shown[name] === unlimited);
      const names = Object.fromEntries(limits.map(({ name }) => [name, 'unlimited']));
      return { shown, done: { text, params: { ...result, ...shown }, names } };
    },
    subject,
  );

/** Declares an operation that shows one thing. */
export const declareShow = <Input extends z.ZodObject, Result extends object>({
  read,
  shows = (result) => shownOf(declared, result),
  ...declared
}: Show<Input, Result>) =>
  operation(declared, read, (result) => {
    const { leftOutNodes }: LeftOut = result;
    return { shown: { ...shows(result), ...(leftOutNodes && { left_out_nodes: leftOutNodes }) } };
  });

/** Declares a list. `read` returns one page. */
export const declareList = <Input extends z.ZodObject, Row extends object, Page extends ListedPage>({
  read,
  ...declared
}: List<Input, Row, Page>) =>
  operation(declared, read, ({ items, page, lastPage, total, near, next, ...found }) => {
    const rows = items.map((row) => shownOf(declared, row));
    return {
      rows,
      shown: {
        [declared.items]: rows,
        page,
        last_page: lastPage,
        total,
        searched: found.searched,
        searched_from: found.searchedFrom,
        left_out_nodes: found.leftOutNodes,
        near,
        next,
      },
    };
  });

/** Declares a file. `read` throws every refusal before the first line; reading the lines throws none. */
export const declareFile = <Input extends z.ZodObject>({
  read,
  subject,
  ...declared
}: Declared<Input> &
  Partial<Pick<Change<Input, DataFile>, 'records' | 'whileSuspended' | 'subject'>> & {
    readonly read: (ctx: Context, input: z.output<Input>) => Promise<DataFile>;
  }) => operation({ ...declared, isFile: true }, read, (file) => ({ shown: { file: file.name }, file }), subject);

/**
 * The operation throws `invalid_input`, `not_allowed` if the actor may not use it or a person names a company other than their own, and
 * `unknown_company` if it would list nothing because there is no such company.
 */
function operation<Input extends z.ZodObject, Result, Rest extends Declared<Input>>(
  declared: Rest & Declared<Input>,
  work: (ctx: Context, input: z.output<Input>) => Promise<Result>,
  answerOf: (result: Result & LeftOut & Unchanged, input: z.output<Input>) => Answer,
  subjectOf: SubjectOf<Input> = async () => ({}),
) {
  const admitted = (ctx: Context, given: unknown): z.output<Input> => {
    if (!mayAct(declared.by, ctx.actor)) throw notAllowed();
    const input = checkInput(declared.input, given);
    for (const name of Object.keys(declared.input.shape))
      if (input[name as keyof typeof input] === undefined && mustFill(declared, name, ctx.actor))
        throw invalidField(name, 'must be given');
    if (!isOwn(ctx.actor, input.companyId)) throw notAllowed();
    return input;
  };
  // The cast is safe: the types only add optional properties.
  const runOnAll = (ctx: Context, input: z.output<Input>) => work(ctx, input) as Promise<Result & LeftOut & Unchanged>;
  const runReachable = async (ctx: Context, input: z.output<Input>) => {
    const reachable = declared.acrossCompanies && !ctx.isAboutAll ? await ctx.db.reachable?.() : undefined;
    if (!reachable) return runOnAll(ctx, input);
    try {
      return { ...(await work({ ...ctx, db: reachable.db }, input)), leftOutNodes: reachable.leftOut };
    } catch {
      // The error may be due to the omitted companies. With `isAboutAll`, the work reads all nodes or fails.
      return runOnAll({ ...ctx, isAboutAll: true }, input);
    }
  };
  const isOfOne = !declared.input.shape.companyId?.safeParse(undefined).success;
  // A change or a view finds out by itself: it has nothing to change or to show.
  const mayBeEmpty = ('items' in declared || 'isFile' in declared) && isOfOne;
  const result = async (ctx: Context, input: z.output<Input>) => {
    const { companyId } = input;
    // A person's own company exists.
    if (mayBeEmpty && typeof companyId === 'bigint' && ctx.actor.kind !== 'user')
      if (!(await isCompany(ctx.db, companyId))) throw unknownCompany(companyId);
    return runReachable(ctx, input);
  };
  const perform = async (ctx: Context, given: Shown) => result(ctx, admitted(ctx, given));
  const answer = async (ctx: Context, given: Shown): Promise<Answer> => {
    const input = admitted(ctx, given);
    return answerOf(await result(ctx, input), input);
  };
  /** Throws `not_allowed`. The input is not checked, because the form is not filled in yet. */
  const assertMayFill = ({ actor }: Context, { companyId }: Shown): void => {
    if (!mayAct(declared.by, actor) || !isOwn(actor, companyId)) throw notAllowed();
  };
  const subject = async (ctx: Context, given: Shown): Promise<Subject> => {
    assertMayFill(ctx, given);
    // The cast is safe: the page has checked the ids in its address.
    return subjectOf(ctx, given as unknown as Named<Input>);
  };
  const choicesOf = async (ctx: Context, given: Shown): Promise<Record<string, Choices>> => {
    assertMayFill(ctx, given);
    const found: Record<string, Choices> = {};
    for (const [name, read] of Object.entries(declared.choices ?? {})) found[name] = await read(ctx, given);
    return found;
  };
  /** `perform` for other code of ours, whose input the compiler checks. */
  const operation = (ctx: Context, given: z.input<Input>) => perform(ctx, given);
  return Object.assign(operation, declared, { perform, answer, subject, choicesOf });
}

const isOwn = (actor: Actor, companyId: unknown): boolean => actor.kind !== 'user' || companyId === actor.companyId;

/**
 * Whether an actor must fill in a field that others may leave out. An administrator must give a reason for a dangerous change: the company
 * sees the reason in the audit trail.
 */
export function mustFill(
  { dangerous, input }: Pick<Declaration, 'dangerous' | 'input'>,
  name: string,
  { kind }: Actor,
) {
  const isReason = name === 'reason' && kind === 'administrator' && dangerous !== undefined;
  return isReason || metaOf(input.shape[name]).requiredOf === kind;
}

function mayAct(by: readonly By[], actor: Actor): boolean {
  if (actor.kind === 'credential') return false;
  if (actor.kind !== 'user') return by.includes(actor.kind);
  return by.includes('person') || (actor.role === 'main' && by.includes('main account'));
}
