import type { ComponentChildren, InputHTMLAttributes } from 'preact';

/** Messages by the name of the field; '' is for the form as a whole. */
export type FieldErrors = Readonly<Record<string, string>>;

interface Described {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly errors: FieldErrors;
}

interface InputProps extends Described {
  readonly type?: 'text' | 'email' | 'number' | 'date' | 'search';
  readonly value: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly min?: number | string;
  readonly max?: number | string;
}

/** A line to type into, with its hint and what was wrong beside it. */
export function Field({ name, label, hint, errors, type = 'text', ...input }: InputProps) {
  // The cast: Preact has a type of attributes for each type of input, and here the type varies.
  const attributes = { type, ...input, ...describe(name, hint, errors) } as InputHTMLAttributes<HTMLInputElement>;
  return (
    <div>
      <label for={name}>{label}</label>
      <input {...attributes} />
      <Remarks name={name} hint={hint} errors={errors} />
    </div>
  );
}

/** Never filled in: a password that was sent is typed again. */
export function PasswordField({
  name,
  label,
  hint,
  errors,
  autocomplete = 'current-password',
}: Described & { readonly autocomplete?: 'current-password' | 'new-password' }) {
  return (
    <div>
      <label for={name}>{label}</label>
      <input type="password" autocomplete={autocomplete} required {...describe(name, hint, errors)} />
      <Remarks name={name} hint={hint} errors={errors} />
    </div>
  );
}

type SelectProps = Described & { readonly value: string; readonly options: readonly (readonly [string, string])[] };

/** One of several values, each with its text. */
export function SelectField({ name, label, hint, errors, value, options }: SelectProps) {
  return (
    <div>
      <label for={name}>{label}</label>
      <select {...describe(name, hint, errors)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      <Remarks name={name} hint={hint} errors={errors} />
    </div>
  );
}

type MarksProps = Omit<Described, 'label'> & {
  readonly legend: string;
  readonly marked: readonly string[];
  readonly options: readonly (readonly [string, string])[];
};

/** Any number of several values. */
export function Marks({ name, legend, hint, errors, marked, options }: MarksProps) {
  const { id: _id, name: _name, ...described } = describe(name, hint, errors);
  return (
    <fieldset {...described}>
      <legend>{legend}</legend>
      <Remarks name={name} hint={hint} errors={errors} />
      <div class="marks">
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="checkbox" name={name} value={option} checked={marked.includes(option)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Several lines to type into. */
export function TextField({
  name,
  label,
  hint,
  errors,
  value,
  ...input
}: Described & {
  readonly value: string;
  readonly rows: number;
  readonly required?: boolean;
  readonly maxLength?: number;
}) {
  return (
    <div>
      <label for={name}>{label}</label>
      <textarea {...input} {...describe(name, hint, errors)} value={value} />
      <Remarks name={name} hint={hint} errors={errors} />
    </div>
  );
}

/** What is wrong with the form as a whole, or that something is wrong with a field. */
export function FormErrors({ errors }: { readonly errors: FieldErrors }) {
  if (Object.keys(errors).length === 0) return null;
  return <Alert>{errors[''] ?? 'Nothing was changed: see the fields marked below.'}</Alert>;
}

const Alert = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="alert" role="alert">
    {children}
  </p>
);

function describe(name: string, hint: string | undefined, errors: FieldErrors) {
  const wrong = errors[name] !== undefined;
  const ids = [wrong ? `${name}-error` : '', hint === undefined ? '' : `${name}-hint`].filter(Boolean);
  return {
    id: name,
    name,
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
    ...(wrong ? { 'aria-invalid': true } : {}),
  };
}

function Remarks({ name, hint, errors }: { name: string; hint: string | undefined; errors: FieldErrors }) {
  return (
    <>
      {errors[name] !== undefined && (
        <small id={`${name}-error`} class="error">
          {errors[name]}
        </small>
      )}
      {hint !== undefined && <small id={`${name}-hint`}>{hint}</small>}
    </>
  );
}
