/** The judge of statements itself: each form is found where it is broken, and not where it is kept. */
import { expect, test } from 'vitest'
import { judgeStatement } from './support/statement-forms.ts'

const tenants = new Set(['bills', 'service_bills', 'bill_charges'])
const brokenIn = (text: string) => judgeStatement(text, tenants).broken

test.each([
  ['select id from bills where client_id = $1'],
  ['select 1 from bills b join service_bills l on l.client_id = b.client_id and l.bill_id = b.id where b.client_id = $1::bigint'],
  ['select 1 from bills join service_bills using (client_id) where bills.client_id = $1'],
  ['select 1 from bills b where b.client_id = $1 and exists (select from service_bills l where l.client_id = $2 and l.bill_id = b.id)'],
  ['select id from bills where (client_id, id) = ($1, $2) for update'],
  ['select id from bills where client_id = any($1) for no key update'],
  ['with bills as (select 1 as id) select id from bills, vendors where vendors.client_id = $1'],
  ['update bills set paid = true where client_id = $1 and due_date is distinct from date'],
  ['insert into bills (client_id, created_at) values ($1, now())'],
  ['select extract(year from date) from bills where client_id = $1'],
  ['select id from bills where due_date < $1'],
])('keeps the forms: %s', (text) => {
  expect(brokenIn(text)).toEqual([])
})

test.each([
  [
    'select (select count(*) from service_bills l where l.client_id = b.client_id) from bills b where b.client_id = $1',
    'service_bills without the constant client',
  ],
  ['select 1 from bills b, service_bills l where b.client_id = $1 and l.bill_id = b.id', 'service_bills without the constant client'],
  ['select id from bills where id = any($1) for update', 'locks rows by bare ids'],
  ['update bills set updated_at = now() where client_id = $1', 'the time of the database in a change'],
  ['insert into bills (client_id) values ($1) on conflict do update set updated_at = now()', 'the time of the database in a change'],
  ['update bills set paid = x.paid from jsonb_to_recordset($2) as x(paid boolean) where client_id = $1', 'rows from JSON in an update'],
  ['select from bills where client_id = $1 limit 1', 'a select without columns under a limit'],
  ['insert into bills (client_id, id) values ($1, (select 1))', 'a query inside values'],
  ['with recursive r as (select id from bills where client_id = $1) select id from r', 'a recursive query over tables of clients'],
  [
    'select 1 from unnest($1, $2) as asked(client_id, id), lateral (select 1 from bills where client_id = asked.client_id) q',
    'lateral over pairs of clients and ids',
  ],
])('finds what breaks them: %s', (text, form) => {
  expect(brokenIn(text)).toContain(form)
})

test('a statement is of one client if it compares the client with one value', () => {
  expect(judgeStatement('select 1 from bills where client_id = $1', tenants).isOfOneClient).toBe(true)
  expect(judgeStatement('select 1 from bills where client_id = any($1)', tenants).isOfOneClient).toBe(false)
})
