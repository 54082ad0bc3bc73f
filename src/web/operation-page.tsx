import { needsReason, type Operation } from '../operations/declare.ts';
import { type Field, fieldsOf, fromText } from '../operations/fields-of.ts';
import type { Shown } from '../operations/shown.ts';
import { PasswordField } from './components/field.tsx';
import { FormErrors, PostForm } from './components/form.tsx';
import { OperationField } from './components/operation-form.tsx';
import { type FieldErrors, type Form, inLanguage, passwordErrors, tryOperation } from './form.ts';
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
  readonly path: string;
  /** The page that follows, with the same parameters. */
  readonly next: string;
  readonly subject: (ctx: PageContext<P>) => Promise<Subject>;
  /** What a person fills in. */
  readonly fields: readonly Field[];
  /** Whether it sets a password, for which the person's own is asked. */
  readonly setsPassword: boolean;
}

/** The page of an operation, and what its form does. A parameter of the path is the field of its name, or of its name with Id. */
export function operationPage<P extends Person>(
  path: string,
  operation: Operation,
  next: string,
  subject: OperationPage<P>['subject'] = async () => ({}),
): Route<P>[] {
  const params = path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1), `${part.slice(1)}Id`] : []));
  const fields = fieldsOf(operation.input)
    .filter(({ name }) => !params.includes(name))
    .map((field) => ({
      ...field,
      isRequired: field.isRequired || (field.name === 'reason' && needsReason(operation)),
    }));
  const setsPassword = fields.some(({ kind }) => kind === 'password');
  const shown = { operation, path, next, subject, fields, setsPassword };
  return [get<P>(path, (ctx) => formPage(ctx, shown), operation), post<P>(path, (ctx) => submit(ctx, shown))];
}

async function submit<P extends Person>(ctx: PageContext<P>, shown: OperationPage<P>): Promise<PageAnswer> {
  const { form, params, session, t } = ctx;
  const { operation, fields, setsPassword } = shown;
  const next = addressOf(ctx, shown.next);
  if (fields.length > 0 && !(await session.takeFormToken(form.text('once'))))
    return redirect(next, t('This form was already submitted.'));
  const wrong = setsPassword ? await passwordErrors(ctx, 'currentPassword') : undefined;
  if (wrong) return formPage(ctx, shown, wrong);
  const input = Object.fromEntries([
    ...Object.keys(params).map((name) =>
      name in operation.input.shape ? [name, params[name]] : [`${name}Id`, idIn(params, name)],
    ),
    ...fields.map((field) => [field.name, typedValue(form, field)]),
  ]);
  const { result, errors } = await tryOperation(ctx, () => operation.answer(ctx, input));
  return errors ? formPage(ctx, shown, errors) : redirect(next, result.done && inLanguage(result.done, t));
}

/** An empty field that may be missing is missing. */
function typedValue(form: Form, field: Field): unknown {
  const text = form.all(field.name).join(',');
  if (field.kind === 'flag') return text !== '';
  return text === '' && !field.isRequired ? undefined : fromText(field, text);
}

async function formPage<P extends Person>(
  ctx: PageContext<P>,
  { operation: { title, dangerous }, path, next, subject, fields, setsPassword }: OperationPage<P>,
  errors?: FieldErrors,
): Promise<PageAnswer> {
  const { form, session, t } = ctx;
  const { name: subjectName, values = {}, options = {} } = await subject(ctx);
  const heading = subjectName === undefined ? t(title) : `${t(title)}: ${subjectName}`;
  const shown = fields.map((field) => ({
    field,
    texts: errors ? form.all(field.name) : textsOf(values[field.name] ?? field.initial),
    options: options[field.name],
  }));
  const first = Object.fromEntries(shown.map(({ field, texts: [text = ''] }) => [field.name, text]));
  const content = (
    <article class="narrow">
      <h1>{heading}</h1>
      {dangerous !== undefined && <p class="alert">{t(dangerous)}</p>}
      <FormErrors errors={errors ?? {}} />
      <PostForm action={addressOf(ctx, path)} values={first} errors={errors ?? {}}>
        {fields.length > 0 && <input type="hidden" name="once" value={await session.newFormToken()} />}
        {shown.map((one) => (
          <OperationField key={one.field.name} {...one} />
        ))}
        {setsPassword && <PasswordField name="currentPassword" label={t('Your password')} />}
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
