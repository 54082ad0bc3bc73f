import { languages } from '../language.ts';
import { useTexts } from '../texts/texts.ts';

/** A button for each other language, which returns to the page with this path and query. */
export function LanguageSwitch({ next }: { readonly next: string }) {
  const { tag } = useTexts();
  const others = Object.entries(languages).filter(([, { texts }]) => texts.tag !== tag);
  return (
    <form method="post" action="/language" class="language">
      <input type="hidden" name="next" value={next} />
      {others.map(([code, { name, texts }]) => (
        <button key={code} type="submit" name="language" value={code} lang={texts.tag}>
          {name}
        </button>
      ))}
    </form>
  );
}
