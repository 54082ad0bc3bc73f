import { type ComponentChildren, createContext } from 'preact';
import { csrfField, formKey } from '../../auth/page-session.ts';
import { type FieldErrors, type FieldValues, unseenMs } from '../form.ts';
import { usePageRequest, useT } from '../page.ts';
import { languages } from '../texts/language.ts';

export interface FormState {
  /** The values of the fields: defaults, or the submitted values that were refused. */
  readonly values?: FieldValues;
  readonly errors?: FieldErrors;
}

/** Passes a form's values and errors to its fields. */
export const FormContext = createContext<FormState>({});

interface FormProps extends FormState {
  readonly action: string;
  /** Needed by elements outside the form: inputs that belong to it, and links that move the focus to it. */
  readonly id?: string;
  /** Set if the form downloads a file. The page stays open, so the form may be sent again. Downloads within two minutes are recorded once. */
  readonly isFile?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** Every form that changes something must be a PostForm, because a PostForm contains the session's CSRF token. */
export function PostForm({ action, id, values = {}, errors = {}, isFile, children }: FormProps) {
  const { session } = usePageRequest();
  if (!session) return null;
  return (
    <FormContext.Provider value={{ values, errors }}>
      <form method="post" action={action} id={id} tabIndex={id === undefined ? undefined : -1} data-file={isFile}>
        <input type="hidden" name={csrfField} value={session.csrfToken()} />
        {isFile && <OnceFields values={formKey()} />}
        {children}
      </form>
    </FormContext.Provider>
  );
}

/** The hidden fields of a form that is carried out only once. */
export const OnceFields = ({ values }: { readonly values: ReturnType<typeof formKey> }) =>
  Object.entries(values).map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);

/**
 * Begins a form for a decision: the time at which its page was made, and a default button that sends nothing outside a dialog, so that Enter
 * in a field decides nothing. It is rendered and enabled, because browsers pass over a button that is not when Enter is pressed in a checkbox.
 */
export const BeginDecision = () => (
  <>
    <input type="hidden" name="shownAt" value={usePageRequest().clock().getTime()} data-ms={unseenMs} />
    <input
      type="submit"
      formMethod="dialog"
      formNoValidate
      class="visually-hidden"
      tabIndex={-1}
      aria-hidden="true"
      value=""
    />
  </>
);

/** A button for each other language. In a form, it keeps the typed values, and vaga.css hides the language buttons of the header. */
export function LanguageButtons() {
  const { t: shown } = usePageRequest();
  const others = Object.entries(languages).filter(([, { t }]) => t !== shown);
  return others.map(([code, { name, t }]) => (
    <button key={code} type="submit" name="language" value={code} lang={t.tag} class="secondary small" formNoValidate>
      {name}
    </button>
  ));
}

/** Shows what is wrong with the form as a whole, or points to the fields with errors. */
export function FormErrors({ errors }: { readonly errors: FieldErrors }) {
  const t = useT();
  if (Object.keys(errors).length === 0) return null;
  return (
    <p class="alert" role="alert" tabIndex={-1}>
      {errors[''] ?? t('Nothing was changed. See the fields marked below.')}
    </p>
  );
}
