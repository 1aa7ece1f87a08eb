import type { BillValues } from './bill-values.ts'

/** Returns the value at a path of the form, or undefined if there is none. */
export function valueAt(values: BillValues, path: string): unknown {
  const [list = '', key, ...rest] = path.split('.')
  if (list !== 'lines' && list !== 'charges') return new Map<string, unknown>(Object.entries(values)).get(list)
  const rows: readonly { readonly key: string }[] = values[list]
  const row = rows.find((one) => one.key === key)
  const [field = '', ...name] = rest
  const value = new Map<string, unknown>(Object.entries(row ?? {})).get(field)
  if (name.length === 0 || typeof value !== 'object' || value === null) return value
  return new Map<string, unknown>(Object.entries(value)).get(name.join('.'))
}
