import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import type { Options } from '../params.ts';
import { FormContext } from './form.tsx';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

interface InputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'number' | 'date' | 'search';
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly maxLength?: number;
  readonly min?: number;
  readonly max?: number;
}

/** An input with its label, its hint and its error. */
export function Field({ name, label, hint, type = 'text', ...input }: InputProps) {
  const { value, attributes } = useField(name, hint);
  // Preact types the attributes per input type; here the type varies.
  const all = { type, ...input, value, ...attributes } as InputHTMLAttributes<HTMLInputElement>;
  return (
    <Labelled name={name} label={label} hint={hint}>
      <input {...all} />
    </Labelled>
  );
}

interface PasswordProps extends FieldProps {
  readonly autocomplete?: 'current-password' | 'new-password';
}

/** Always empty: a submitted password is never sent back. */
export function PasswordField({ name, label, hint, autocomplete = 'current-password' }: PasswordProps) {
  const { attributes } = useField(name, hint);
  return (
    <Labelled name={name} label={label} hint={hint}>
      <input type="password" autocomplete={autocomplete} required {...attributes} />
    </Labelled>
  );
}

export function SelectField({ name, label, hint, options }: FieldProps & { readonly options: Options }) {
  const { value, attributes } = useField(name, hint);
  return (
    <Labelled name={name} label={label} hint={hint}>
      <select {...attributes}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

interface TextAreaProps extends FieldProps {
  readonly rows: number;
  readonly required?: boolean;
  readonly maxLength?: number;
}

export function TextAreaField({ name, label, hint, ...input }: TextAreaProps) {
  const { value, attributes } = useField(name, hint);
  return (
    <Labelled name={name} label={label} hint={hint}>
      <textarea {...input} {...attributes} value={value} />
    </Labelled>
  );
}

interface CheckboxesProps extends Omit<FieldProps, 'label'> {
  readonly legend: string;
  readonly checked: readonly string[];
  readonly options: Options;
}

/** Checkboxes of one name. */
export function Checkboxes({ name, legend, hint, checked, options }: CheckboxesProps) {
  const { attributes } = useField(name, hint);
  const { id: _id, name: _name, ...described } = attributes;
  return (
    <fieldset {...described}>
      <legend>{legend}</legend>
      <Remarks name={name} hint={hint} />
      <div class="checkboxes">
        {options.map(([option, text]) => (
          <label key={option}>
            <input type="checkbox" name={name} value={option} checked={checked.includes(option)} />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A field's value in its form, and the attributes that tie it to its hint and its error. */
function useField(name: string, hint: string | undefined) {
  const { values = {}, errors = {} } = useContext(FormContext);
  const isInvalid = errors[name] !== undefined;
  const ids = [isInvalid ? `${name}-error` : '', hint === undefined ? '' : `${name}-hint`].filter(Boolean);
  const attributes = {
    id: name,
    name,
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
    ...(isInvalid ? { 'aria-invalid': true } : {}),
  };
  return { value: values[name] ?? '', attributes };
}

interface RemarksProps {
  readonly name: string;
  readonly hint: string | undefined;
}

function Remarks({ name, hint }: RemarksProps) {
  const { errors = {} } = useContext(FormContext);
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

const Labelled = ({ label, children, ...remarks }: RemarksProps & { label: string; children: ComponentChildren }) => (
  <div>
    <label for={remarks.name}>{label}</label>
    {children}
    <Remarks {...remarks} />
  </div>
);
