import { needsReason, type Operation } from '../operations/declare.ts';
import { type Field, fieldsOf, fromText } from '../operations/fields-of.ts';
import type { Shown } from '../operations/shown.ts';
import { PasswordField } from './components/field.tsx';
import { FormErrors, PostForm } from './components/form.tsx';
import { OperationField } from './components/operation-form.tsx';
import { type FieldErrors, inLanguage, passwordErrors, tryOperation } from './form.ts';
import { get, type PageAnswer, type PageContext, type Person, page, post, type Route, redirect } from './page.ts';
import { idIn, type Options } from './params.ts';
import { portals } from './portals.ts';

/** What a form shows besides its declaration. */
export interface Subject {
  /** What is changed. */
  readonly name?: string;
  /** How it is now, by field. */
  readonly values?: Shown;
  /** What may be chosen for a field. */
  readonly options?: Readonly<Record<string, Options>>;
}

interface OperationPage<P extends Person> {
  readonly operation: Operation;
  /** A parameter is the field of its name, or of its name with Id. */
  readonly path: string;
  /** The page that follows, with the same parameters. */
  readonly next: string;
  readonly subject: (ctx: PageContext<P>) => Promise<Subject>;
}

/** The page of an operation: a form that says what is dangerous, and what runs it. */
export function operationPage<P extends Person>(
  path: string,
  operation: Operation,
  next: string,
  subject: OperationPage<P>['subject'] = async () => ({}),
): Route<P>[] {
  const shown = { operation, path, next, subject };
  return [
    { ...get<P>(path, (ctx) => formPage(ctx, shown, undefined)), operation },
    { ...post<P>(path, (ctx) => submit(ctx, shown)), operation },
  ];
}

const paramOf = ({ path }: Pick<OperationPage<Person>, 'path'>, { name }: Field): string | undefined =>
  [name, name.replace(/Id$/, '')].find((param) => path.split('/').includes(`:${param}`));

const setsPassword = (fields: readonly Field[]): boolean => fields.some(({ kind }) => kind === 'password');

async function submit<P extends Person>(ctx: PageContext<P>, shown: OperationPage<P>): Promise<PageAnswer> {
  const { form, params, session, t } = ctx;
  const fields = fieldsOf(shown.operation.input);
  const typed = fields.filter((field) => paramOf(shown, field) === undefined);
  const next = addressOf(ctx, shown.next);
  if (typed.length > 0 && !(await session.takeFormToken(form.text('once'))))
    return redirect(next, t('This form was already submitted.'));
  const wrong = setsPassword(typed) ? await passwordErrors(ctx, 'currentPassword') : undefined;
  if (wrong) return formPage(ctx, shown, wrong);
  const given = fields.map((field) => {
    const param = paramOf(shown, field);
    if (param === undefined) return [field.name, typedValue(ctx, field)];
    return [field.name, field.kind === 'id' ? idIn(params, param) : params[param]];
  });
  const { result, errors } = await tryOperation(ctx, () => shown.operation.answer(ctx, Object.fromEntries(given)));
  if (errors) return formPage(ctx, shown, errors);
  return redirect(next, result.done && inLanguage(result.done, t));
}

/** An empty field that may be missing is missing. */
function typedValue({ form }: PageContext<Person>, field: Field): unknown {
  if (field.kind === 'flag') return form.text(field.name) !== '';
  const text = form.all(field.name).join(',');
  return text === '' && !field.isRequired ? undefined : fromText(field, text);
}

async function formPage<P extends Person>(
  ctx: PageContext<P>,
  shown: OperationPage<P>,
  errors: FieldErrors | undefined,
): Promise<PageAnswer> {
  const { form, session, t } = ctx;
  const { operation } = shown;
  const { title, dangerous } = operation;
  const fields = fieldsOf(operation.input).filter((field) => paramOf(shown, field) === undefined);
  const { name, values = {}, options = {} } = await shown.subject(ctx);
  const heading = name === undefined ? t(title) : `${t(title)}: ${name}`;
  const texts = Object.fromEntries(
    fields.map(({ name, initial }) => [name, errors ? form.all(name) : textsOf(values[name] ?? initial)]),
  );
  const first = Object.fromEntries(Object.entries(texts).map(([name, [text = '']]) => [name, text]));
  const content = (
    <article class="narrow">
      <h1>{heading}</h1>
      {dangerous !== undefined && <p class="alert">{t(dangerous)}</p>}
      <FormErrors errors={errors ?? {}} />
      <PostForm action={addressOf(ctx, shown.path)} values={first} errors={errors ?? {}}>
        {fields.length > 0 && <input type="hidden" name="once" value={await session.newFormToken()} />}
        {fields.map((field) => (
          <OperationField
            key={field.name}
            field={field}
            isRequired={field.isRequired || (field.name === 'reason' && needsReason(operation))}
            texts={texts[field.name] ?? []}
            options={options[field.name]}
          />
        ))}
        {setsPassword(fields) && <PasswordField name="currentPassword" label={t('Your password')} />}
        <button type="submit" {...(dangerous !== undefined && { class: 'danger' })}>
          {t(title)}
        </button>
      </PostForm>
      <a href={addressOf(ctx, shown.next)}>{t('Cancel')}</a>
    </article>
  );
  return page(heading, content, errors ?? {});
}

const textsOf = (value: unknown): string[] =>
  [value].flat().flatMap((one) => (one === undefined || one === null || one === false ? [] : [String(one)]));

const addressOf = ({ portal, params }: PageContext<Person>, path: string): string =>
  portals[portal].base + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
