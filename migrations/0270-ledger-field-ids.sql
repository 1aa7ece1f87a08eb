-- A version says which state of its batch it was written from. Versions from before this migration do not know.
alter table accounting_batch_files
  add column read_at timestamptz,
  add column bill_count int,
  add column bills_total numeric(14,2);

-- Frozen lines and export profiles name a ledger field by its id, because its name may change. A name that no field has now is that of a field
-- that was renamed since, as the audit log says.
-- ledger_values is [{"id", "name", "value"}]; the id is null for a field that is not known any more.
create temporary table ledger_field_names on commit drop as
  select named.client_id, named.name, coalesce(
      (select field.id from ledger_fields field where field.client_id = named.client_id and lower(field.name) = lower(named.name)),
      (select max(field.id) from audit_records record join ledger_fields field on field.client_id = record.client_id and field.id = record.item_id
        where record.client_id = named.client_id and record.item_type = 'ledger_field'
          and lower(record.object_changes -> 'name' ->> 'from') = lower(named.name))) as field_id
  from (select line.client_id, part.value ->> 'name' as name from gl_lines line, jsonb_array_elements(line.ledger_values) part
    union select profile.client_id, part.value ->> 'field' from export_profiles profile, jsonb_array_elements(profile.layout -> 'columns') part
      where part.value ->> 'source' = 'ledger_field') named;

update gl_lines line set ledger_values = (select jsonb_agg(jsonb_build_object('id', known.field_id, 'name', part.value ->> 'name', 'value', part.value ->> 'value')
      order by part.ordinality)
    from jsonb_array_elements(line.ledger_values) with ordinality part
    left join ledger_field_names known on known.client_id = line.client_id and known.name = part.value ->> 'name')
  where line.ledger_values <> '[]';

-- A column of a field that is not known any more was empty, and becomes a fixed text.
update export_profiles profile set layout = jsonb_set(profile.layout, '{columns}', (select coalesce(jsonb_agg((part.value - 'field')
        || jsonb_build_object('field_id', known.field_id)
        || case when part.value ->> 'source' = 'ledger_field' and known.field_id is null then '{"source": "fixed"}'::jsonb else '{}'::jsonb end
      order by part.ordinality), '[]')
    from jsonb_array_elements(profile.layout -> 'columns') with ordinality part
    left join ledger_field_names known on known.client_id = profile.client_id and known.name = part.value ->> 'field'
      and part.value ->> 'source' = 'ledger_field'))
  where jsonb_typeof(profile.layout -> 'columns') = 'array';
