import type { VNode } from 'preact';
import * as z from 'zod';
import type { UndoForm } from '../auth/sent-form.ts';
import { auditActions } from '../domain/audit-actions.ts';
import { camelCase } from '../domain/camel-case.ts';
import { instantsOf } from '../domain/dates.ts';
import { unlimited } from '../domain/eligibility.ts';
import { ApiError } from '../domain/errors.ts';
import type { Shape } from '../domain/field-rules.ts';
import type { Message } from '../domain/message.ts';
import { listAudit } from '../operations/audit/people/list-audit.ts';
import {
  type Declaration,
  idField,
  mustFill,
  type Settled,
  type Shown,
  type Subject,
  shownName,
} from '../operations/kit/declare.ts';
import { checkInput, type Field, fieldsOf, fromText } from '../operations/kit/fields.ts';
import { comparedForm, type EditedField, storedIn, textOf, typedAs, typedText } from './compared-form.ts';
import { actionLabel, actorText } from './components/audit-cells.tsx';
import { HiddenField, PasswordField } from './components/field.tsx';
import { choicesIn, type FieldSchema } from './components/field-schema.ts';
import { choicesOf, OperationField } from './components/operation-form.tsx';
import { FormErrors, LanguageButtons, OnceFields, PostForm } from './components/post-form.tsx';
import { linesOf } from './components/stored-value.tsx';
import {
  controlLabel,
  type FieldErrors,
  type FieldValues,
  type Form,
  inLanguage,
  messageOf,
  passwordErrors,
  tryOperation,
  unseenErrors,
} from './form.ts';
import { htmlOf } from './layout.tsx';
import {
  get,
  idIn,
  isSuspendedFor,
  type Options,
  type PageAnswer,
  type PageContent,
  type PageContext,
  type Person,
  page,
  pageNotFound,
  post,
  type Route,
  redirect,
} from './page.ts';
import { portals } from './portals.ts';
import { instantText } from './texts/formats.ts';
import type { Translate } from './texts/language.ts';

/** Settings of a form in addition to the declaration. */
interface Settings<P extends Person, Result> {
  /** Additional information about the subject. */
  readonly about?: (values: Shown, t: Translate, ctx: PageContext<P>) => VNode | Promise<VNode>;
  /**
   * Renders a result that is shown only once; the form then asks for the person's own password. Without `resultPage`, the next page shows
   * a notice.
   */
  readonly resultPage?: (ctx: PageContext<P>, result: Result, next: string) => PageContent;
  /** The path of the page to open after a create, such as the new company's page. The operation's answer has the parameters. */
  readonly opens?: string;
  /** Finds the next page from the operation's result. The form may then be carried out twice, so the operation must make that harmless. */
  readonly leadsTo?: (ctx: PageContext<P>, made: Shown) => Promise<Next>;
  /** Renders another page that contains the form. Errors are shown there rather than on the form's own page. */
  readonly form?: (ctx: PageContext<P>, errors: FieldErrors) => Promise<PageAnswer>;
  /** Reads the fields that are typed in several controls. */
  readonly typed?: (form: Form) => Shown;
  /** The button's text. Defaults to the text of the links to the form. */
  readonly button?: string;
  /** Edits the field that is JSON. */
  readonly editor?: Editor;
}

/** Edits the JSON of one field, with a preview. */
export interface Editor extends EditedField {
  /** The schema of the JSON. */
  readonly stored: Shape;
  /** Returns the typed values of the fields whose names `isTyped` accepts. Their parts that were not touched keep what is stored. */
  readonly typed: (form: Form, isTyped: (name: string) => boolean, stored: Shown) => Shown;
  /** Returns what breaks the contract in the typed values. */
  readonly broken: (ctx: PageContext, typed: Shown) => Promise<FieldErrors>;
  /** Returns a question for each field with a number that can be read in two ways. */
  readonly unclear: (typed: Shown, t: Translate) => FieldErrors;
  /** The choices of a control, each with its label, if it has any. */
  readonly choices: (ctx: PageContext, name: string) => Promise<Options>;
  /** Words what is stored in a field. */
  readonly storedText: (ctx: PageContext, name: string, stored: Shown) => Promise<string>;
  /** Renders the controls with their texts and errors: as typed, if the form was sent, but as stored for the fields that `isStored` accepts. */
  readonly shown: (
    ctx: PageContext,
    stored: Shown,
    typed: FieldValues | undefined,
    isStored: (name: string) => boolean,
  ) => Promise<Edited>;
}

interface Edited {
  readonly texts: FieldValues;
  readonly errors: FieldErrors;
  readonly controls: (options: Readonly<Record<string, Options>>) => VNode;
}

/** The next page, a text to add to its notice, and the form that undoes the change. */
export interface Next {
  readonly to: string;
  readonly more?: string;
  readonly undo?: UndoForm;
}

export interface OperationPage<P extends Person, Result> extends Settings<P, Result> {
  readonly operation: Declaration<Result>;
  readonly path: string;
  /** The path of the next page, with the same parameters. */
  readonly next: string;
}

/** The routes that show and submit an operation's form. The path parameter `job` fills the field `job` or `jobId`. */
export function operationPage<P extends Person, Result>(
  path: string,
  operation: Declaration<Result>,
  next: string,
  settings: Settings<P, Result> = {},
): Route<P>[] {
  const shown = { ...settings, operation, path, next };
  return [get<P>(path, (ctx) => formPage(ctx, shown), { operation }), operationPost(shown)];
}

/** The route that submits an operation's form. Used without `operationPage` if another page contains the form. */
export const operationPost = <P extends Person, Result>(shown: OperationPage<P, Result>): Route<P> =>
  post<P>(
    shown.path,
    (ctx) =>
      unlessGone(ctx, shown, () => (ctx.form.has('preview') ? formPage(ctx, shown, {}) : submitOnce(ctx, shown))),
    {
      again: (ctx, errors) => unlessGone(ctx, shown, () => shownAgain(ctx, shown, errors)),
      stored: shown.editor?.stored,
    },
  );

/** Answers a form whose subject is gone with a page that keeps what was typed, so that no operation's refusal can lose it. */
async function unlessGone<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
  answer: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { t } = ctx;
  try {
    return await answer();
  } catch (error) {
    const typed = error instanceof ApiError && error.code.startsWith('unknown_') ? await typedTexts(ctx, shown) : [];
    if (typed.length === 0) throw error;
    const title = t('This does not exist any more');
    // Whatever fails, the person keeps the text.
    const removal = await removalText(ctx, shown.operation).catch(() => '');
    const content = (
      <article class="narrow">
        <h1>{title}</h1>
        <p class="alert" role="alert" tabIndex={-1}>
          {t('Nothing was changed.')} {removal}
        </p>
        <p>{t('What you typed was not recorded:')}</p>
        {typed.map(([name, text]) => (
          <section key={name}>
            <h2>{controlLabel(name, t)}</h2>
            <pre data-copy>{text}</pre>
          </section>
        ))}
        <a href={portals[ctx.portal].base}>{t(portals[ctx.portal].backLabel)}</a>
      </article>
    );
    return { kind: 'page', status: 404, title, content };
  }
}

/** What the person has typed into the controls of a form, without what they left as it was shown. */
async function typedTexts<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
): Promise<[string, string][]> {
  const { form, t } = ctx;
  const { operation, editor } = shown;
  const given = givenIn(operation, ctx);
  const fields = fieldsFor(operation, given, ctx).filter(({ kind }) => kind !== 'version');
  const { isUntouched } = comparedForm(form, fields, {}, editor);
  const read = Object.entries(shown.typed?.(form) ?? {}).map(([name, value]) => [name, textOf(value)] as const);
  const texts = { ...form.values(), ...Object.fromEntries(read) };
  const typed = [...fields.map(({ name }) => name), ...Object.keys(editor?.held(form) ?? {})]
    .filter((name) => !isUntouched(name))
    .flatMap((name) =>
      Object.entries(texts).filter(([part, text]) => text !== '' && `${part}.`.startsWith(`${name}.`)),
    );
  // Choices of something that is gone cannot be read. Whatever fails, the person keeps the text.
  const options = await choicesOf(ctx, operation, given).catch((): Record<string, Options> => ({}));
  const worded: [string, string][] = [];
  // One query after the other, because a page uses one connection.
  for (const [name, text] of typed) {
    const { kind, valueLabels = {} } = fields.find((field) => field.name === name) ?? {};
    const own = choicesIn((kind && schemas[kind]) ?? {}, t) ?? (await editor?.choices(ctx, name).catch(() => []));
    const labels = Object.entries(valueLabels).map(([value, label]) => [value, t(label)] as const);
    const chosen = [...(options[name] ?? []), ...(own ?? []), ...labels].find(([value]) => value === text);
    worded.push([name, chosen?.[1] ?? text]);
  }
  return worded;
}

/** Who deleted the subject of a form, and when, if the newest deletions of the audit trail have it. */
async function removalText(ctx: PageContext, operation: Declaration): Promise<string> {
  const [noun = ''] = operation.records?.split('.') ?? [];
  const action = auditActions.find((one) => one === `${noun}.deleted` || one === `${noun}.removed`);
  const { companyId, [idField(camelCase(noun))]: id } = givenIn(operation, ctx);
  if (!action || id === undefined) return '';
  const { items, names } = await listAudit(ctx, { action, ...(typeof companyId === 'bigint' && { companyId }) });
  const removal = items.find(({ details }) => String(details.id ?? details[`${noun}_id`]) === String(id));
  const reason = typeof removal?.details.reason === 'string' ? removal.details.reason : null;
  return removal ? entryText(ctx, { ...removal, action, reason, names }) : '';
}

/** Shows the form as it was typed, on the page that contains it. */
const shownAgain = <P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
  errors: FieldErrors,
): Promise<PageAnswer> => shown.form?.(ctx, errors) ?? formPage(ctx, shown, errors);

type Asking = Pick<Settings<never, never>, 'resultPage' | 'leadsTo'>;

/** Whether a form asks for something: a field, or the person's password before a result page. */
const isAsking = (fields: readonly Field[], { resultPage }: Asking): boolean =>
  resultPage !== undefined || fields.some(({ kind }) => kind !== 'version');

/** Whether the same form may be carried out only once. */
const isOnce = (fields: readonly Field[], shown: Asking): boolean => isAsking(fields, shown) && !shown.leadsTo;

/** The part of the input that comes from the path and the person. Throws 404 for malformed values. */
export const givenIn = ({ input: { shape } }: Declaration, { params, actor }: PageContext): Shown => ({
  ...Object.fromEntries(
    Object.entries(params).map(([name, text]) => {
      if (!(name in shape)) return [idField(name), idIn(params, name)];
      const { success, data } = z.safeParse(shape[name], text);
      if (!success) throw pageNotFound();
      return [name, data];
    }),
  ),
  ...(actor.kind === 'user' && { companyId: actor.companyId }),
});

/** The fields to fill in. Leaves passwords out: without a password, the operation returns a link with which the person sets their own. */
const fieldsFor = (operation: Declaration, given: Shown, { actor }: PageContext): Field[] =>
  fieldsOf(operation.input)
    .filter(({ name, kind }) => !(name in given) && kind !== 'password')
    .map((field) => ({ ...field, isRequired: field.isRequired || mustFill(operation, field.name, actor) }));

/** Why a form is shown again instead of being carried out. */
const notCarriedOut = {
  unknown:
    'This form was sent before, but its result is not known. Check whether it was done before you send it again.',
  forgotten: 'It is not known whether this form was sent before. Check whether it was done before you send it again.',
};

/** Carries a form out only once, if it must not be repeated. The same form sent again gets the same answer. */
async function submitOnce<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
): Promise<PageAnswer> {
  const { form, session, t, clock } = ctx;
  const { operation } = shown;
  const { isFile = false } = operation;
  if (!isFile && !isOnce(fieldsFor(operation, givenIn(operation, ctx), ctx), shown)) return submit(ctx, shown);
  const sent = session.sentForm({ once: form.text('once'), onceKey: form.text('onceKey'), sent: form.typed() });
  const earlier = await sent.claim(clock, isFile);
  if (earlier?.kind === 'answered')
    return earlier.answer.kind === 'file' ? submit({ ...ctx, isRepeated: true }, shown) : earlier.answer;
  if (earlier?.kind === 'done') {
    const isSubmitted = t('This form was already submitted.');
    const isLost = shown.resultPage ? `${isSubmitted} ${t('A secret is shown only once.')}` : isSubmitted;
    return redirect(addressOf(ctx, shown.next), isLost);
  }
  if (earlier) return shownAgain(ctx, shown, { '': t(notCarriedOut[earlier.kind]) });
  let answer: PageAnswer;
  try {
    answer = await submit(ctx, shown);
  } catch (error) {
    // Any error but a refusal may come after the commit, for example if only the answer to COMMIT was lost.
    await (error instanceof ApiError ? sent.release() : sent.forget());
    throw error;
  }
  if (answer.kind === 'page') await sent.release();
  else await sent.keep(answer.kind === 'file' ? { kind: 'file' } : answer, clock());
  return answer;
}

async function submit<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
): Promise<PageAnswer> {
  const { form, t } = ctx;
  const { operation, resultPage, editor } = shown;
  const unseen = unseenErrors(ctx);
  if (unseen && shown.form) return shown.form(ctx, unseen);
  const next = addressOf(ctx, shown.next);
  const given = givenIn(operation, ctx);
  // Throws if the subject that the path names does not exist, or does not belong to the company.
  const { name, values = {}, settled: before } = await operation.subject(ctx, given);
  if (before) return settledPage(ctx, shown, before, { name, values });
  const fields = fieldsFor(operation, given, ctx);
  const { changed, isNewer, isTyped } = comparedForm(form, fields, values, editor);
  const input = {
    ...Object.fromEntries(fields.map((field) => [field.name, typedValue(form, field)])),
    ...(editor && { [editor.field]: editor.typed(form, isTyped, storedIn(values, editor)) }),
    ...shown.typed?.(form),
    ...given,
  };
  // A form that has a version is refused by the operation.
  if (changed.length > 0 && !shown.form && values.version === undefined)
    return formPage(ctx, shown, await changeErrors(ctx, shown, changed, values), true);
  // What is wrong with the other fields is said, too: the contract takes no object for a number.
  const unclear = editor?.unclear(storedIn(input, editor), t) ?? {};
  const unfit = async () => (await tryOperation(ctx, async () => checkInput(operation.input, input))).errors;
  const wrong = resultPage ? await passwordErrors(ctx, 'currentPassword') : undefined;
  if (wrong) return formPage(ctx, shown, { ...(await unfit()), ...wrong });
  const { result, errors, code } = await tryOperation(ctx, async () => {
    if (resultPage)
      return { kind: 'html', html: htmlOf(ctx, resultPage(ctx, await operation.perform(ctx, input), next)) } as const;
    const { shown: made, done, settled, file } = await operation.answer(ctx, input);
    if (file) return { kind: 'file' as const, ...file };
    if (settled) return settledPage(ctx, shown, settled, { name, values });
    const notice = done && inLanguage(withName(operation, done, name), t);
    const opened = shown.opens ? addressOf(ctx, shown.opens, made) : next;
    const { to, more, undo }: Next = (await shown.leadsTo?.(ctx, made)) ?? { to: opened };
    return redirect(to, [notice, more].filter(Boolean).join(' '), undo);
  });
  if (!errors) return result;
  if (shown.form) return shown.form(ctx, errors);
  if (!isNewer) {
    // With an input that does not fit, the operation has not read the JSON.
    const broken = editor && (await unfit()) ? await editor.broken(ctx, storedIn(input, editor)) : {};
    return formPage(ctx, shown, { ...broken, ...errors, ...unclear });
  }
  const changes = await changeErrors(ctx, shown, changed, values);
  // The page says itself what has changed.
  return formPage(ctx, shown, code === 'changed' ? changes : { ...changes, ...errors, ...unclear }, true);
}

/** People know things by their names, not by their ids. */
function withName(operation: Declaration, { params, ...message }: Message, name = params?.name): Message {
  return { ...message, params: { ...params, ...(name !== undefined && { [shownName(operation, 'id')]: name }) } };
}

/** Says what holds already and, if the audit trail has it, since when and by whom. */
function settledText(
  ctx: PageContext,
  operation: Declaration,
  { entry, ...message }: Settled,
  name: string | undefined,
): string {
  const holds = inLanguage(withName(operation, message, name), ctx.t);
  return entry ? `${holds} ${entryText(ctx, entry)}` : holds;
}

/** An entry of the audit trail as a sentence. */
function entryText(ctx: PageContext, { action, actor, names, at, reason }: NonNullable<Settled['entry']>): string {
  const { t, timeZone } = ctx;
  const done = t('{{action}} by {{actor}}', { action: t(actionLabel(action)), actor: actorText(actor, names, ctx) });
  const why = reason === null ? '' : ` ${t('Reason: {{reason}}', { reason })}`;
  return `${done}, ${instantText(at, t.locale, timeZone, 'short')}.${why}`;
}

/**
 * Answers a form whose change has nothing to do. A form in which something was typed that is not stored is shown again and says so. In any
 * other, nothing can be lost, so the next page says it.
 */
async function settledPage<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
  settled: Settled,
  { name, values = {} }: Subject,
): Promise<PageAnswer> {
  const { operation, next } = shown;
  const text = settledText(ctx, operation, settled, name);
  const fields = fieldsFor(operation, givenIn(operation, ctx), ctx).filter(({ kind }) => kind !== 'version');
  const isTyped = fields.some((field) => !['', textOf(values[field.name])].includes(typedAs(field, ctx.form)));
  return isTyped ? shownAgain(ctx, shown, { '': text }) : redirect(addressOf(ctx, next), text);
}

/** Says of each changed field what is stored now. */
async function changeErrors<P extends Person, Result>(
  ctx: PageContext<P>,
  { operation, editor }: OperationPage<P, Result>,
  changed: readonly string[],
  values: Shown,
): Promise<FieldErrors> {
  const { t } = ctx;
  const given = givenIn(operation, ctx);
  const options = await choicesOf(ctx, operation, given);
  const fields = new Map(fieldsFor(operation, given, ctx).map((field) => [field.name, field]));
  const errors: Record<string, string> = {
    '':
      changed.length > 0
        ? t('This was changed since you opened the form. See the fields marked below, and send it again.')
        : t(
            'Something has changed since you opened the form, but none of the fields below. Read this page, and send it again.',
          ),
  };
  // One query after the other, because a page uses one connection.
  for (const name of changed) {
    const field = fields.get(name);
    const value = field
      ? wordedValue(field, values[name], ctx, options[name])
      : await editor?.storedText(ctx, name, storedIn(values, editor));
    errors[name] = t('Is now: {{value}}.', { value: value || t('Not set') });
  }
  return errors;
}

const schemas: Partial<Record<Field['kind'], FieldSchema>> = { flag: { type: 'boolean' }, day: { format: 'date' } };

/** Words what is stored in a declared field, as lists do. */
function wordedValue(
  { kind, valueLabels }: Field,
  value: unknown,
  { t, timeZone }: PageContext,
  options: Options = [],
): string {
  const labels = Object.entries(valueLabels).map(([one, label]) => [one, t(label)] as const);
  if (kind === 'limit') labels.push([`${unlimited}`, t('Unlimited')]);
  const instants = kind === 'minute' && typeof value === 'string' ? instantsOf(timeZone, value) : [];
  labels.push(...instants.map((at) => [String(value), instantText(at, t.locale, timeZone, 'short')] as const));
  return linesOf(schemas[kind] ?? {}, value, t, [...options, ...labels]).join(', ');
}

/** A choice that the link to the form has made: a list of the sandbox leads to a create in the sandbox. */
function chosenIn(query: URLSearchParams, { name, values }: Field): Shown {
  const chosen = values.find((value) => value === query.get(name));
  return chosen === undefined ? {} : { [name]: chosen };
}

/** The text of a field as it is stored. */
const shownText = ({ kind, name, initial }: Field, values: Shown): string =>
  kind === 'limit' && values[name] === unlimited ? 'unlimited' : textOf(values[name] ?? initial);

/** An empty optional field counts as absent. */
function typedValue(form: Form, field: Field): unknown {
  const text = typedText(form, field.name);
  if (field.kind === 'flag') return text !== '';
  return text === '' && !field.isRequired && field.kind !== 'version' ? undefined : fromText(field, text);
}

async function formPage<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
  errors?: FieldErrors,
  isNewer = false,
): Promise<PageAnswer> {
  const { operation, next, about, editor } = shown;
  const { t } = ctx;
  const title = t(operation.title);
  const { name, values = {}, settled, refused } = await operation.subject(ctx, givenIn(operation, ctx));
  if (settled && !errors) return redirect(addressOf(ctx, next), settledText(ctx, operation, settled, name));
  const heading = name === undefined ? title : `${title}: ${name}`;
  const content = (
    <article class={editor ? 'editor' : 'narrow'}>
      <h1>{heading}</h1>
      {refused && !errors ? (
        <p>{messageOf(refused, t)}</p>
      ) : (
        <>
          {await about?.(values, t, ctx)}
          {await operationForm(ctx, shown, errors, values, isNewer)}
        </>
      )}
      <a href={addressOf(ctx, next)}>{t('Cancel')}</a>
    </article>
  );
  return page(heading, content, errors);
}

/**
 * Renders an operation's warning and form. With `errors`, the form has the typed values; with `isNewer`, what was not touched has the newer
 * stored values. Otherwise it has the subject's values.
 */
export async function operationForm<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
  errors?: FieldErrors,
  values: Shown = {},
  isNewer = false,
): Promise<VNode> {
  const { operation, path, editor } = shown;
  const { title, label = title, dangerous } = operation;
  const { button = label } = shown;
  const { form, session, t, person, query } = ctx;
  if (!errors && isSuspendedFor(person, operation))
    return <p>{t('This is not possible while the company is suspended.')}</p>;
  const given = givenIn(operation, ctx);
  const fields = fieldsFor(operation, given, ctx);
  const options = await choicesOf(ctx, operation, given);
  const compared = comparedForm(form, fields, values, editor);
  const isStored = (name: string): boolean => isNewer && compared.isUntouched(name);
  const edited = await editor?.shown(ctx, storedIn(values, editor), errors && form.values(), isStored);
  const marks = compared.marks(errors === undefined || isNewer);
  const texts: FieldValues = {
    ...edited?.texts,
    ...Object.fromEntries(
      fields.map((field) => [
        field.name,
        errors && !isStored(field.name) && !(isNewer && field.kind === 'version')
          ? typedText(form, field.name)
          : shownText(field, { ...chosenIn(query, field), ...values }),
      ]),
    ),
    ...marks,
  };
  return (
    <>
      {dangerous !== undefined && <p class="alert">{t(dangerous)}</p>}
      <FormErrors errors={errors ?? {}} />
      <PostForm
        action={addressOf(ctx, path)}
        values={texts}
        errors={{ ...edited?.errors, ...errors }}
        isFile={operation.isFile}
      >
        {isOnce(fields, shown) && <OnceFields values={await session.newFormKey()} />}
        {fields.map((field) =>
          field.name === editor?.field ? (
            edited?.controls(options)
          ) : (
            <OperationField key={field.name} field={field} options={options[field.name]} />
          ),
        )}
        {Object.keys(marks).map((name) => (
          <HiddenField key={name} name={name} />
        ))}
        {shown.resultPage && <PasswordField name="currentPassword" label={t('Your password')} />}
        <div class="buttons">
          <button type="submit" class={dangerous && 'danger'}>
            {t(button)}
          </button>
          {editor && (
            <button type="submit" name="preview" value="true" class="secondary" formNoValidate>
              {t('Preview')}
            </button>
          )}
          {isAsking(fields, shown) && <LanguageButtons />}
        </div>
      </PostForm>
    </>
  );
}

/** Fills a path from the page's own path, then from what was made, then from what the form or the link to it has chosen. */
const addressOf = ({ portal, params, form, query }: PageContext, path: string, made: Shown = {}): string =>
  portals[portal].base +
  path.replace(/:(\w+)/g, (_, name: string) => {
    const chosen = form.text(name) || query.get(name);
    return encodeURIComponent(params[name] ?? String(made[`${name}_id`] ?? made[name] ?? chosen ?? ''));
  });
