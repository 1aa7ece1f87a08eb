/** The lamps of a site survey. */
import { boolean, defaulted, integer, optional, type Field, type Fields } from '../kernel/entity.ts'

export const flag = (label: string) => defaulted(boolean(label, { yes: 'Yes', no: 'No' }), false)

/** The lamp types in the order of the specification: each has a checkbox and a count. */
export const lamps = [
  { key: 'mh_1000w', label: '1000w MH' },
  { key: 'ps_320w', label: '320w PS' },
  { key: 'mh_400w', label: '400w MH' },
  { key: 'ps_750w', label: '750w PS' },
  { key: 'cfl', label: 'CFL' },
  { key: 'incandescent', label: 'Incandescent' },
  { key: 'induction', label: 'Induction' },
  { key: 'led', label: 'LED' },
  { key: 'skylights', label: 'Skylights' },
  { key: 't12', label: 'T12' },
  { key: 't5', label: 'T5' },
  { key: 't8', label: 'T8' },
] as const
type Lamp = (typeof lamps)[number]['key']

/** The wire name of a lamp type's count. */
export function lampCount<Key extends Lamp>(key: Key): `${Key}_no` {
  return `${key}_no`
}

type LampFields = { readonly [K in Lamp]: Field<boolean, 'defaulted'> } & { readonly [K in `${Lamp}_no`]: Field<number | null, 'optional'> }

export function lampFields(): LampFields
export function lampFields(): Fields {
  return Object.fromEntries(
    lamps.flatMap(({ key, label }): [string, Field<unknown>][] => [
      [key, flag(label)],
      [lampCount(key), optional(integer(`${label} Count`, { min: 0 }))],
    ]),
  )
}
