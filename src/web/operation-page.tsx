import type { VNode } from 'preact';
import type { Context } from '../context.ts';
import type { Portal } from '../domain/actor.ts';
import { checkInput } from '../operations/check-input.ts';
import { needsReason, type Operation } from '../operations/declare.ts';
import { type Field, fieldsOf, fromText } from '../operations/fields-of.ts';
import type { Shown } from '../operations/shown.ts';
import { PasswordField } from './components/field.tsx';
import { OperationField } from './components/operation-form.tsx';
import { FormErrors, PostForm } from './components/post-form.tsx';
import { type FieldErrors, type Form, inLanguage, passwordErrors, tryOperation } from './form.ts';
import {
  get,
  type PageAnswer,
  type PageContext,
  type Person,
  page,
  post,
  type Redirect,
  type Route,
  redirect,
} from './page.ts';
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
  /** What else a person should know. */
  readonly about?: VNode;
}

/** An operation whose function gives `Result`. */
export type Doing<Result> = Operation & ((ctx: Context, given: never) => Promise<Result>);

interface Settings<P extends Person, Result> {
  /** A redirect where there is nothing to do. */
  readonly subject?: (ctx: PageContext<P>) => Promise<Subject | Redirect>;
  /** What the person says by being there, such as the company of a dashboard. */
  readonly given?: (ctx: PageContext<P>) => Shown;
  /** Whether the person's own password is asked for; it always is where one is set. */
  readonly asksPassword?: boolean;
  /** The page with the result, which is shown only once; else a notice on the page that follows. */
  readonly resultPage?: (ctx: PageContext<P>, result: Result) => Promise<PageAnswer>;
}

interface OperationPage<P extends Person, Result> extends Settings<P, Result> {
  readonly operation: Doing<Result>;
  readonly path: string;
  /** The page that follows, with the same parameters. */
  readonly next: string;
}

/** The page of an operation, and what its form does. A parameter of the path is the field of its name, or of its name with Id. */
export function operationPage<P extends Person, Result>(
  path: string,
  operation: Doing<Result>,
  next: string,
  settings: Settings<P, Result> = {},
): Route<P>[] {
  const shown = { ...settings, operation, path, next };
  return [get<P>(path, (ctx) => formPage(ctx, shown), operation), post<P>(path, (ctx) => submit(ctx, shown))];
}

/** Throws 404 for a subject that the person does not have. */
const findSubject = async <P extends Person>(
  ctx: PageContext<P>,
  { subject }: Pick<OperationPage<P, unknown>, 'subject'>,
): Promise<Subject | Redirect> => (await subject?.(ctx)) ?? {};

/** What the path and the person say. */
const givenIn = <P extends Person>(
  ctx: PageContext<P>,
  { operation, given }: Pick<OperationPage<P, unknown>, 'operation' | 'given'>,
): Shown => ({
  ...Object.fromEntries(
    Object.keys(ctx.params).map((name) =>
      name in operation.input.shape ? [name, ctx.params[name]] : [`${name}Id`, idIn(ctx.params, name)],
    ),
  ),
  ...given?.(ctx),
});

/** What is left to fill in. */
const fieldsFor = (operation: Operation, given: Shown, portal: Portal): Field[] =>
  fieldsOf(operation.input)
    .filter(({ name }) => !(name in given))
    .map((field) => {
      const isNeeded = field.name === 'reason' && portal === 'administrator' && needsReason(operation);
      return { ...field, isRequired: field.isRequired || isNeeded };
    });

async function submit<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
): Promise<PageAnswer> {
  const { form, session, t } = ctx;
  const { operation, resultPage } = shown;
  const found = await findSubject(ctx, shown);
  if ('kind' in found) return found;
  const next = addressOf(ctx, shown.next);
  const given = givenIn(ctx, shown);
  const fields = fieldsFor(operation, given, ctx.portal);
  if (fields.length > 0 && !(await session.takeFormToken(form.text('once')))) {
    const isSubmitted = t('This form was already submitted.');
    return redirect(next, resultPage ? `${isSubmitted} ${t('A secret is shown only once.')}` : isSubmitted);
  }
  const input = { ...Object.fromEntries(fields.map((field) => [field.name, typedValue(form, field)])), ...given };
  const wrong = asksPassword(shown, fields) ? await passwordErrors(ctx, 'currentPassword') : undefined;
  if (wrong) {
    const checked = await tryOperation(ctx, async () => checkInput(operation.input, input));
    return formPage(ctx, shown, { ...checked.errors, ...wrong });
  }
  if (resultPage) {
    const { result, errors } = await tryOperation(ctx, () => operation(ctx, input as never));
    return errors ? formPage(ctx, shown, errors) : resultPage(ctx, result);
  }
  const { result, errors } = await tryOperation(ctx, () => operation.answer(ctx, input));
  return errors ? formPage(ctx, shown, errors) : redirect(next, result.done && inLanguage(result.done, t));
}

const asksPassword = (shown: { readonly asksPassword?: boolean }, fields: readonly Field[]): boolean =>
  shown.asksPassword === true || fields.some(({ kind }) => kind === 'password');

/** An empty field that may be missing is missing. */
function typedValue(form: Form, field: Field): unknown {
  const text = form.all(field.name).join(',');
  if (field.kind === 'flag') return text !== '';
  return text === '' && !field.isRequired ? undefined : fromText(field, text);
}

async function formPage<P extends Person, Result>(
  ctx: PageContext<P>,
  shown: OperationPage<P, Result>,
  errors?: FieldErrors,
): Promise<PageAnswer> {
  const { operation, path, next } = shown;
  const { title, dangerous } = operation;
  const { form, session, t } = ctx;
  const given = givenIn(ctx, shown);
  const fields = fieldsFor(operation, given, ctx.portal);
  const found = await findSubject(ctx, shown);
  if ('kind' in found) return found;
  const { name: subjectName, values = {}, options = {}, about } = found;
  const heading = subjectName === undefined ? t(title) : `${t(title)}: ${subjectName}`;
  const controls = fields.map((field) => ({
    field,
    texts: errors ? form.all(field.name) : textsOf(values[field.name] ?? field.initial),
    options: options[field.name],
  }));
  const first = Object.fromEntries(controls.map(({ field, texts: [text = ''] }) => [field.name, text]));
  const content = (
    <article class="narrow">
      <h1>{heading}</h1>
      {about}
      {dangerous !== undefined && <p class="alert">{t(dangerous)}</p>}
      <FormErrors errors={errors ?? {}} />
      <PostForm action={addressOf(ctx, path)} values={first} errors={errors ?? {}}>
        {fields.length > 0 && <input type="hidden" name="once" value={await session.newFormToken()} />}
        {controls.map((one) => (
          <OperationField key={one.field.name} {...one} />
        ))}
        {asksPassword(shown, fields) && <PasswordField name="currentPassword" label={t('Your password')} />}
        <button type="submit" {...(dangerous !== undefined && { class: 'danger' })}>
          {t(title)}
        </button>
      </PostForm>
      <a href={addressOf(ctx, next)}>{t('Cancel')}</a>
    </article>
  );
  return page(heading, content, errors);
}

const textsOf = (value: unknown): string[] => (value === false ? [] : [value ?? []].flat().map(String));

const addressOf = ({ portal, params }: PageContext<Person>, path: string): string =>
  portals[portal].base + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
