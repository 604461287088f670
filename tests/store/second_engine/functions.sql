-- Functions of SQLite that the statements call, for PostgreSQL. They are in a schema of their own, searched last.
CREATE SCHEMA erp;
SET search_path = public, erp;

CREATE FUNCTION erp.is_day(day TEXT) RETURNS BOOLEAN IMMUTABLE LANGUAGE sql AS $$
    SELECT day IS NULL OR (day ~ '^\d{4}-\d\d-\d\d$' AND CAST(CAST(day AS DATE) AS TEXT) = day)
$$;
CREATE FUNCTION erp.shifted(instant TEXT, shift TEXT) RETURNS TEXT IMMUTABLE LANGUAGE sql AS $$
    SELECT to_char(CAST(replace(replace(instant, 'T', ' '), 'Z', '') AS TIMESTAMP) + CAST(shift AS INTERVAL),
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
CREATE FUNCTION erp.date(day TEXT, shift TEXT) RETURNS TEXT IMMUTABLE LANGUAGE sql AS $$
    SELECT to_char(CAST(day AS TIMESTAMP) + CAST(shift AS INTERVAL), 'YYYY-MM-DD')
$$;
CREATE FUNCTION erp.instr(whole TEXT, part TEXT) RETURNS INTEGER IMMUTABLE LANGUAGE sql AS 'SELECT strpos(whole, part)';
CREATE FUNCTION erp.folded(text TEXT) RETURNS TEXT IMMUTABLE LANGUAGE sql AS $$
    SELECT lower(translate(text, 'äöüéèàáíóúñç', 'aoueeaaiounc'))
$$;

CREATE FUNCTION erp.json(document TEXT) RETURNS JSON IMMUTABLE LANGUAGE sql AS 'SELECT CAST(document AS JSON)';
CREATE FUNCTION erp.json(document JSON) RETURNS JSON IMMUTABLE LANGUAGE sql AS 'SELECT document';
CREATE FUNCTION erp.json_quote(value ANYELEMENT) RETURNS TEXT IMMUTABLE LANGUAGE sql AS $$
    SELECT coalesce(CAST(to_json(value) AS TEXT), 'null')
$$;
CREATE FUNCTION erp.json_type(document TEXT) RETURNS TEXT IMMUTABLE LANGUAGE sql AS $$
    SELECT json_typeof(CAST(document AS JSON))
$$;
CREATE FUNCTION erp.json_array_length(document TEXT) RETURNS INTEGER IMMUTABLE LANGUAGE sql AS $$
    SELECT json_array_length(CAST(document AS JSON))
$$;
CREATE FUNCTION erp.json_extract(document TEXT, path TEXT) RETURNS TEXT IMMUTABLE LANGUAGE sql AS $$
    SELECT jsonb_path_query_first(CAST(document AS JSONB), CAST(replace(path, '#-1', 'last') AS JSONPATH)) #>> '{}'
$$;
CREATE FUNCTION erp.json_each(document TEXT) RETURNS TABLE (key BIGINT, value TEXT) IMMUTABLE LANGUAGE sql AS $$
    SELECT place - 1, part FROM jsonb_array_elements_text(CAST(document AS JSONB)) WITH ORDINALITY AS each (part, place)
$$;
CREATE FUNCTION erp.json_each(document TEXT, path TEXT) RETURNS TABLE (key BIGINT, value TEXT)
IMMUTABLE LANGUAGE sql AS $$
    SELECT * FROM erp.json_each(CAST(jsonb_path_query_first(CAST(document AS JSONB), CAST(path AS JSONPATH)) AS TEXT))
$$;
CREATE FUNCTION erp.json_member(document TEXT, name TEXT) RETURNS TEXT IMMUTABLE LANGUAGE sql AS $$
    SELECT CAST(document AS JSON) ->> name
$$;
CREATE OPERATOR erp.->> (LEFTARG = TEXT, RIGHTARG = TEXT, FUNCTION = erp.json_member);
