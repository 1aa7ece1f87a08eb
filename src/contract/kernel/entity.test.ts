import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  boolean,
  choice,
  date,
  decimal,
  defaulted,
  derived,
  entity,
  integer,
  list,
  money,
  optional,
  refs,
  text,
  texts,
  writeOnly,
  type Draft,
  type Row,
} from './entity.ts'

const meter = entity(
  'meter',
  'meters',
  {
    name: text('Name', 10),
    note: optional(text('Note')),
    active: defaulted(boolean('Active'), true),
    factor: decimal('Factor', 4, { min: 0 }),
    cost: optional(money('Cost')),
    read_on: optional(date('Read On')),
    period: optional(
      choice('Period', [
        { value: 0, label: 'Weekly' },
        { value: 2, label: 'Monthly' },
      ]),
    ),
    rank: optional(integer('Rank', { min: 1 })),
    parts: derived(list('Parts', z.array(z.object({ id: z.int() })))),
    part_ids: writeOnly(refs('Parts', 'parts')),
    count: derived(integer('Count')),
  },
  { filter: ['name', 'active'], sort: ['name'], defaultSort: 'name asc' },
)

const draft = { name: 'North', factor: '1.5' }

describe('an entity', () => {
  it('types the row with what is read and the draft with what is sent', () => {
    expectTypeOf<Row<typeof meter>['note']>().toEqualTypeOf<string | null>()
    expectTypeOf<Row<typeof meter>['count']>().toEqualTypeOf<number>()
    expectTypeOf<Row<typeof meter>>().not.toHaveProperty('part_ids')
    expectTypeOf<Draft<typeof meter>>().not.toHaveProperty('count')
    expectTypeOf<Draft<typeof meter>['part_ids']>().toEqualTypeOf<number[] | undefined>()
    expectTypeOf<Draft<typeof meter>['name']>().toEqualTypeOf<string>()
  })

  it('fills defaults into a new record and into no change: a default must not wipe a column on PATCH', () => {
    expect(meter.draft.parse(draft)).toEqual({ name: 'North', factor: '1.5000', active: true })
    expect(meter.patch.parse({ name: 'South' })).toEqual({ name: 'South' })
  })

  it('refuses what it does not know, and what is derived', () => {
    expect(messages(meter.draft, { ...draft, client_id: 3 })).toEqual(['Unknown field: client_id'])
    expect(messages(meter.patch, { count: 3 })).toEqual(['Unknown field: count'])
  })

  it.each([
    [{ factor: '1' }, 'Name is required'],
    [{ name: '  ', factor: '1' }, 'Name is required'],
    [{ name: 'A name too long', factor: '1' }, 'Name must have at most 10 characters'],
    [{ name: 'a\u0000b', factor: '1' }, 'Name holds characters that cannot be stored'],
    [{ name: '\uD800', factor: '1' }, 'Name holds characters that cannot be stored'],
    [{ name: 'A' }, 'Factor is required'],
    [{ name: 'A', factor: '1.00001' }, 'Factor must have at most 4 decimals'],
    [{ name: 'A', factor: 'x' }, 'Factor must be a number'],
    [{ name: 'A', factor: '-1' }, 'Factor must be at least 0'],
    [{ name: 'A', factor: '1', period: 1 }, 'Period must be one of Weekly, Monthly'],
    [{ name: 'A', factor: '1', rank: 1.5 }, 'Rank must be a whole number'],
    [{ name: 'A', factor: '1', read_on: '2026-02-30' }, 'Read On must be a date, YYYY-MM-DD'],
    [{ name: 'A', factor: '1', active: 'yes' }, 'Active must be true or false'],
  ])('says what is wrong with %j', (sent, message) => {
    expect(messages(meter.draft, sent)).toEqual([message])
  })

  it('keeps decimals as text with all their places and never as a float', () => {
    const parse = (factor: unknown) => z.object({ factor: z.string() }).parse(meter.draft.parse({ name: 'A', factor })).factor
    expect(parse('0.1')).toBe('0.1000')
    expect(parse('007.25')).toBe('7.2500')
    expect(parse(2)).toBe('2.0000')
    expect(parse('-0')).toBe('0.0000')
    expect(parse('1.10000000')).toBe('1.1000')
  })

  it('takes a text of nothing but spaces of an optional field for nothing', () => {
    expect(meter.draft.parse({ ...draft, note: ' \n ' })).toMatchObject({ note: null })
    expect(meter.patch.parse({ note: '  ', cost: ' ', read_on: ' ' })).toEqual({ note: null, cost: null, read_on: null })
  })

  it('takes an empty text of an optional field for nothing, and each id once', () => {
    expect(meter.patch.parse({ note: '', part_ids: [3, 3, 4] })).toEqual({ note: null, part_ids: [3, 4] })
  })

  it('takes several texts trimmed, without empty ones and repeats, up to their count and length, and answers whatever is stored', () => {
    const named = entity(
      'named',
      'nameds',
      { aliases: defaulted(texts('Aliases', { count: 2, length: 5 }), []) },
      { filter: [], sort: ['id'], defaultSort: 'id asc' },
    )
    const read = (aliases: unknown) => named.draft.safeParse({ aliases })
    expect(named.draft.parse({})).toEqual({ aliases: [] })
    expect(read([' A-1 ', '', 'B', 'A-1', '  ']).data).toEqual({ aliases: ['A-1', 'B'] })
    expect(named.patch.parse({})).toEqual({})
    const faults = (aliases: unknown) => read(aliases).error?.issues.map((issue) => issue.message)
    expect(faults(['A', 'B', 'C'])).toEqual(['Aliases must have at most 2 entries'])
    expect(faults(['long-1'])).toEqual(['Aliases must have at most 5 characters each'])
    expect(faults([1])).toEqual(['Aliases must be texts'])
    expect(faults('A')).toEqual(['Aliases must be a list of texts'])
    expect(faults(['\u0000'])).toEqual(['Aliases holds characters that cannot be stored'])
    expect(named.row.safeParse({ id: 1, lock_version: 0, aliases: ['A', 'B', 'C', 'and one that is long'] }).success).toBe(true)
  })

  it('cannot be declared with a filter that is no field', () => {
    expect(() => entity('a', 'as', { name: text('Name') }, { filter: ['nam'], sort: [], defaultSort: 'name asc' })).toThrow(
      'the list names nam',
    )
  })
})

function messages(schema: z.ZodType, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map((issue) => issue.message) ?? []
}
