-- Searches compare these columns, which are folded once, when their text is written. PostgreSQL rewrites the three tables for them:
-- reads and writes of a table wait meanwhile (see the guide).

-- A text without case and accents, with typographic marks as they are typed; at most so many characters of it. src/domain/folded-text.ts
-- folds what is searched in the same way. Another rule needs another function and other columns: stored texts are not folded again. Only
-- functions of pg_catalog, because a restored dump has no search path. In plpgsql, because PostgreSQL would plan an expression anew for
-- each INSERT, which costs 20 µs instead of 5.
CREATE FUNCTION folded_text(given text, characters_max int) RETURNS text
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  folded text := left(given, characters_max);
BEGIN
  IF octet_length(folded) = length(folded) THEN
    RETURN lower(replace(folded, '`', ''''));
  END IF;
  -- Apostrophes, quotation marks, dashes and spaces; soft hyphens and what has no width go.
  folded := translate(
    folded,
    U&'\0060\00b4\02b9\02bb\02bc\02c8\2018\2019\201a\201b\2032\2039\203a\ff07'
    || U&'\00ab\00bb\201c\201d\201e\201f\2033\ff02' || U&'\2010\2011\2012\2013\2014\2015\2212\ff0d'
    || U&'\00a0\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200a\202f\205f\3000'
    || U&'\00ad\200b\200c\200d\2060\feff',
    repeat('''', 14) || repeat('"', 8) || repeat('-', 8) || repeat(' ', 15));
  folded := regexp_replace(normalize(replace(folded, U&'\2026', '...'), NFD), '[\u0300-\u036f]+', '', 'g');
  RETURN left(normalize(replace(lower(folded), U&'\03c2', U&'\03c3'), NFC), characters_max);
END $$;

-- The values of an object, each on a line.
CREATE FUNCTION lines_of(given jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (SELECT string_agg(value, E'\n') FROM jsonb_each_text(given));
END $$;

-- AlterTable
ALTER TABLE "companies" ADD COLUMN     "name_folded" TEXT GENERATED ALWAYS AS (folded_text(name, 255)) STORED;

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "title_folded" TEXT GENERATED ALWAYS AS (folded_text(title, 255)) STORED;

-- AlterTable
ALTER TABLE "audit_entries" ADD COLUMN     "details_folded" TEXT GENERATED ALWAYS AS (folded_text(lines_of(details), 2000)) STORED;
