/** Tests the formatting of each kind of field, over all fields of all entities. */
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Entity, Field } from '#contract/kernel/entity.ts'
import { fieldText } from './list-columns.tsx'

const modules = import.meta.glob<Record<string, unknown>>(['../../../contract/**/*.ts', '!../../../contract/**/*.test.ts'], { eager: true })
const fields = Object.values(modules)
  .flatMap((module) => Object.values(module))
  .filter(isEntity)
  .flatMap((entity) => Object.entries(entity.fields).map(([key, field]) => ({ name: `${entity.plural}.${key}`, field })))

function isEntity(value: unknown): value is Entity {
  return typeof value === 'object' && value !== null && 'plural' in value && 'list' in value && 'fields' in value
}

function written(field: Field<unknown>, value: unknown): string {
  return renderToStaticMarkup(<>{fieldText(field, value)}</>).replaceAll(/<[^>]*>/g, '')
}

/** Values and their expected text, by kind. */
const expected: Readonly<Record<string, readonly (readonly [unknown, string])[]>> = {
  money: [
    ['1234.50', '$1,234.50'],
    ['0.00', '$0.00'],
    ['-7.10', '−$7.10'],
  ],
  decimal: [
    ['63.000', '63'],
    ['0.2900', '0.29'],
    ['1200', '1,200'],
  ],
  date: [['2026-01-31', '01/31/2026']],
  instant: [
    ['2026-07-01T03:30:00Z', '06/30/2026'],
    ['2026-01-01T05:00:00Z', '01/01/2026'],
  ],
}

test('money has its sign and cents, quantities no idle zeros, dates are MM/DD/YYYY and those of instants New York’s, in each field of each entity [LIST-CONST-007] [LIST-CONST-018] [LIST-CONST-012]', () => {
  const checked = fields.filter(({ field }) => field.kind in expected)
  expect(checked.length).toBeGreaterThan(100)
  for (const { name, field } of checked)
    for (const [value, text] of expected[field.kind] ?? []) expect(written(field, value), name).toBe(text)
})

test('what is active or not says so, in each entity [LIST-FIELD-001]', () => {
  const active = fields.filter(({ field }) => field.kind === 'boolean' && field.label === 'Active')
  expect(active.length).toBeGreaterThan(5)
  for (const { name, field } of active)
    expect([written(field, true), written(field, false)], name).toEqual(['Active', name === 'clients.active' ? 'Deactivated' : 'Inactive'])
})
