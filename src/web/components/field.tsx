import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { checkedNoLimit } from '../../operations/kit/fields.ts';
import { type Options, useT } from '../page.ts';
import { FormContext } from './post-form.tsx';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Whether the label says that the field may stay empty. */
  readonly isOptional?: boolean | undefined;
}

interface InputProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'number' | 'date' | 'datetime-local';
  readonly required?: boolean;
  readonly readonly?: boolean;
  readonly autocomplete?: string;
  readonly inputmode?: 'decimal' | undefined;
}

const localMinuteLength = '2026-11-25T10:42'.length;

/** An input with its label, its hint and its error. */
export const Field = ({ name, label, hint, isOptional, ...input }: InputProps) => (
  <Labelled {...{ name, label, hint, isOptional }}>
    {(attributes, value) => {
      // Preact types the attributes per input type; here the type varies.
      // A datetime-local input cannot show an offset. A value may have one if the clocks show its minute twice.
      const type =
        input.type === 'datetime-local' && value.length > localMinuteLength ? 'text' : (input.type ?? 'text');
      const all = { ...input, type, value, ...attributes } as InputHTMLAttributes<HTMLInputElement>;
      return <input {...all} />;
    }}
  </Labelled>
);

export const HiddenField = ({ name }: Pick<FieldProps, 'name'>) => (
  <input type="hidden" name={name} value={useContext(FormContext).values?.[name]} />
);

/** A number, or a checkbox that means no limit. When the form is shown again, both keep what was entered. */
export function LimitField(props: FieldProps) {
  const t = useT();
  return (
    <Labelled {...props}>
      {(attributes, value) => (
        <div class="hstack">
          <input inputmode="numeric" {...attributes} value={value.replace(checkedNoLimit, '')} />
          <label>
            <input type="checkbox" name={props.name} value="unlimited" checked={checkedNoLimit.test(value)} />
            {t('Unlimited')}
          </label>
        </div>
      )}
    </Labelled>
  );
}

/** Always empty: a submitted password is never sent back. */
export const PasswordField = ({ name, label, hint, autocomplete = 'current-password' }: Omit<InputProps, 'type'>) => (
  <Labelled {...{ name, label, hint }}>
    {(attributes) => <input type="password" autocomplete={autocomplete} required {...attributes} />}
  </Labelled>
);

interface SelectProps extends FieldProps {
  readonly options: Options;
  /** The label of the empty choice. Without one, something must be chosen: nothing is chosen by saying nothing. */
  readonly none?: string | undefined;
}

export function SelectField({ options, none, ...props }: SelectProps) {
  const t = useT();
  return (
    <Labelled {...props}>
      {(attributes, value) => {
        const empty = none ?? (options.some(([option]) => option === value) ? undefined : t('Choose'));
        return (
          <select {...attributes} required={none === undefined}>
            {[...(empty === undefined ? [] : [['', empty] as const]), ...options].map(([option, text]) => (
              <option key={option} value={option} selected={option === value}>
                {text}
              </option>
            ))}
          </select>
        );
      }}
    </Labelled>
  );
}

export const TextAreaField = ({ name, label, hint, isOptional, ...input }: FieldProps & TextareaHTMLAttributes) => (
  <Labelled {...{ name, label, hint, isOptional }}>
    {/* A browser drops a line end at the start of a text area, so one is added before it. */}
    {(attributes, value) => <textarea {...input} {...attributes} value={value.replace(/^[\r\n]/, '\n$&')} />}
  </Labelled>
);

/** Checkboxes with the same name; the form keeps their values separated by commas. */
export function Checkboxes({ name, label, hint, options }: FieldProps & { readonly options: Options }) {
  const { value, error, description, remarks } = useField(name, hint);
  const checked = value.split(',');
  return (
    <fieldset {...description} data-field={error}>
      <legend>{label}</legend>
      {remarks}
      <div class="hstack">
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

/** Groups the fields that make up one value. */
export function FieldGroup({
  name,
  label,
  hint,
  isOptional,
  children,
}: FieldProps & { readonly children: ComponentChildren }) {
  const { error, description, remarks } = useField(name, hint);
  return (
    <fieldset {...description} data-field={error}>
      <legend>
        <Name {...{ label, isOptional }} />
      </legend>
      <input type="hidden" name={name} value="" />
      {children}
      {remarks}
    </fieldset>
  );
}

/** One checkbox. It is checked if the form has a value for it. */
export function CheckboxField({ name, label, hint }: FieldProps) {
  const { value, error, description, remarks } = useField(name, hint);
  return (
    <div data-field={error}>
      <label>
        <input type="checkbox" id={name} name={name} value="true" checked={value !== ''} {...description} />
        {label}
      </label>
      {remarks}
    </div>
  );
}

interface LabelledProps extends FieldProps {
  /** Renders the control with its attributes and its value in the form. */
  readonly children: (attributes: { readonly id: string; readonly name: string }, value: string) => ComponentChildren;
}

function Labelled({ name, label, hint, isOptional, children }: LabelledProps) {
  const { value, error, description, remarks } = useField(name, hint);
  return (
    <div data-field={error}>
      <label for={name}>
        <Name {...{ label, isOptional }} />
      </label>
      {children({ id: name, name, ...description }, value)}
      {remarks}
    </div>
  );
}

/** The label of a control, and whether it may stay empty. */
function Name({ label, isOptional }: Pick<FieldProps, 'label' | 'isOptional'>) {
  const t = useT();
  return (
    <>
      {label}
      {isOptional && <small class="text-light">{` (${t('optional')})`}</small>}
    </>
  );
}

/** A field's value in its form, its error and hint, and the attributes that refer to them. */
function useField(name: string, hint: string | undefined) {
  const { values = {}, errors = {} } = useContext(FormContext);
  const error = errors[name];
  const said = Object.entries({ error, hint }).filter(([, text]) => text !== undefined);
  const description = {
    'aria-describedby': said.map(([kind]) => `${name}-${kind}`).join(' ') || undefined,
    'aria-invalid': error !== undefined || undefined,
  };
  const remarks = said.map(([kind, text]) => (
    <div key={kind} id={`${name}-${kind}`} {...(kind === 'error' ? { class: kind } : { 'data-hint': true })}>
      {text}
    </div>
  ));
  return { value: values[name] ?? '', error: error === undefined ? '' : 'error', description, remarks };
}
