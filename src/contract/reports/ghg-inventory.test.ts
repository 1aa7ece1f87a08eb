import { describe, expect, test } from 'vitest'
import { emissionsOf, scopeLabel, type InventoriedUsage } from './ghg-inventory.ts'

/** 10,000 kWh at 0.3497 kg are 3,497 kg, which are 3.497 tonnes. */
const power: InventoriedUsage = {
  scope: 2,
  inventoriable: true,
  usage: '10000',
  factor: '0.3497',
  isOwnFactor: false,
  kilograms: '3497.000000',
  supplierFactor: null,
}

describe('emissions of a usage', () => {
  test('are by the location’s factor on both bases, where no supplier says otherwise', () => {
    expect(emissionsOf(power)).toEqual({ location: '3.497', market: '3.497', isSupplied: false, note: null })
  })

  test('are by the supplier’s factor on the market’s basis: 10,000 kWh at 0.12 kg are 1.2 tonnes', () => {
    expect(emissionsOf({ ...power, supplierFactor: '0.1200' })).toEqual({
      location: '3.497',
      market: '1.2',
      isSupplied: true,
      note: null,
    })
  })

  test('are none on the market’s basis where the supplier’s factor is zero', () => {
    expect(emissionsOf({ ...power, supplierFactor: '0.0000' })).toMatchObject({ market: '0', isSupplied: true })
  })

  test('are rounded to the millionth of a kilogram, half away from zero: 0.0125 kWh at 0.0002 kg are 2.5 millionths', () => {
    expect(emissionsOf({ ...power, usage: '0.0125', supplierFactor: '0.0002' }).market).toBe('0.000000003')
    expect(emissionsOf({ ...power, usage: '-0.0125', supplierFactor: '0.0002' }).market).toBe('-0.000000003')
  })

  test('of fuels burned on site do not depend on a supplier', () => {
    const gas = { ...power, scope: 1, usage: '100', factor: '5.3115', kilograms: '531.15', supplierFactor: '1' }
    expect(emissionsOf(gas)).toEqual({ location: '0.53115', market: '0.53115', isSupplied: false, note: null })
  })

  test('are not zero where there is no factor, but unknown', () => {
    const chilled = { ...power, factor: '0.0000', kilograms: '0' }
    expect(emissionsOf(chilled)).toEqual({ location: null, market: null, isSupplied: false, note: 'no factor' })
    expect(emissionsOf({ ...chilled, supplierFactor: '0.5' })).toEqual({
      location: null,
      market: '5',
      isSupplied: true,
      note: 'no factor',
    })
  })

  test('are zero where the meter itself has the factor zero', () => {
    expect(emissionsOf({ ...power, factor: '0.0000', isOwnFactor: true, kilograms: '0' })).toMatchObject({ location: '0', note: null })
  })

  test('of a utility service outside the inventory are listed and not counted', () => {
    expect(emissionsOf({ ...power, inventoriable: false })).toMatchObject({ location: null, market: null, note: 'not inventoried' })
    expect(emissionsOf({ ...power, inventoriable: false, factor: '0' })).toMatchObject({ location: null, note: 'no factor' })
  })
})

test('a utility service without a scope has a name of its own', () => {
  expect([1, 2, 3, null].map(scopeLabel)).toEqual(['Scope 1', 'Scope 2', 'Scope 3', 'No scope'])
})
