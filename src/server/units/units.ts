/** Units of measure: a plain entity of the settings. */
import { unit, unitCalls } from '#contract/reference/unit.ts'
import type { Handler } from '../kernel/handler.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/lists/resource.ts'

export const units = resource({
  entity: unit,
  table: 'units',
  scope: 'shared',
  search: ['symbol', 'description'],
  rules: [isFree('units', 'symbol', 'Symbol')],
})

export const unitHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(unitCalls, units),
  selectOptions: optionsHandler(unitCalls.selectOptions, units, ['id', 'symbol', 'description']),
})
