import { languages } from '../language.ts';
import { useT } from '../texts/t.ts';

/** A button for each other language, which returns to the page with this path and query. */
export function LanguageSwitch({ next }: { readonly next: string }) {
  const { tag } = useT();
  const others = Object.entries(languages).filter(([, { t }]) => t.tag !== tag);
  return (
    <form method="post" action="/language" class="language">
      <input type="hidden" name="next" value={next} />
      {others.map(([code, { name, t }]) => (
        <button key={code} type="submit" name="language" value={code} lang={t.tag}>
          {name}
        </button>
      ))}
    </form>
  );
}
