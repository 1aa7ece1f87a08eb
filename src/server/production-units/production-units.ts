/** Production units: a plain entity of the settings. */
import { productionUnit, productionUnitCalls } from '#contract/reference/production-unit.ts'
import type { Handler } from '../kernel/handler.ts'
import { crudHandlers, isFree, optionsHandler, resource } from '../kernel/lists/resource.ts'

export const productionUnits = resource({
  entity: productionUnit,
  table: 'production_units',
  scope: 'shared',
  search: ['name'],
  rules: [isFree('production_units', 'name', 'Name')],
})

export const productionUnitHandlers: readonly Handler[] = Object.values({
  ...crudHandlers(productionUnitCalls, productionUnits),
  selectOptions: optionsHandler(productionUnitCalls.selectOptions, productionUnits, ['id', 'name']),
})
