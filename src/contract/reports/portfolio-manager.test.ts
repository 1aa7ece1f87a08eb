import { describe, expect, test } from 'vitest'
import { exchangedUsage, followsAs, meterTypeOf, type BilledUsage } from './portfolio-manager.ts'

/** 500 CCF at 1.026 therms are 513 therms. */
const gas: BilledUsage = {
  code: 'natural_gas',
  usage: '500',
  unit: 'CCF',
  standard_usage: '513',
  standard_unit: 'therm',
  meter_unit: 'CCF',
  meter_factor: '1.026000000',
}

describe('usage for Portfolio Manager', () => {
  test('keeps the quantity of the bill, where the meter’s unit is accepted for its fuel', () => {
    expect(exchangedUsage(gas)).toEqual({ usage: '500', units: 'ccf (hundred cubic feet)' })
    // A therm factor on the bill changes the therms, and not what is billed.
    expect(exchangedUsage({ ...gas, standard_usage: '525' })).toEqual({ usage: '500', units: 'ccf (hundred cubic feet)' })
  })

  test('is converted to the meter’s unit, so that all bills of a meter have one: 1,026 therms are 1,000 CCF', () => {
    expect(exchangedUsage({ ...gas, unit: 'therm', usage: '1026', standard_usage: '1026' })).toEqual({
      usage: '1000.000000',
      units: 'ccf (hundred cubic feet)',
    })
  })

  test('is in the standard unit, where the meter’s is not accepted: dekatherms are therms', () => {
    const dekatherms = { ...gas, unit: 'Dth', usage: '50', standard_usage: '500', meter_unit: 'Dth', meter_factor: '10' }
    expect(exchangedUsage(dekatherms)).toEqual({ usage: '500', units: 'therms' })
    expect(exchangedUsage({ ...dekatherms, meter_unit: null, meter_factor: null })).toEqual({ usage: '500', units: 'therms' })
  })

  test('is none, where the unit of the bill does not convert', () => {
    expect(exchangedUsage({ ...gas, unit: 'kW', standard_usage: null })).toBeNull()
    expect(exchangedUsage({ ...gas, unit: 'kW', standard_usage: null, meter_unit: 'therm', meter_factor: '1' })).toBeNull()
  })

  test('is none for what is no meter there', () => {
    expect(exchangedUsage({ ...gas, code: 'sewer' })).toBeNull()
    expect(['sewer', 'gasoline', 'telecom', 'waste', 'toString'].map(meterTypeOf)).toEqual(Array.from({ length: 5 }))
  })

  test.each([
    ['electric', 'kWh', 'kWh (thousand Watt-hours)'],
    ['natural_gas', 'therm', 'therms'],
    ['propane', 'gal', 'Gallons (US)'],
    ['diesel', 'gal', 'Gallons (US)'],
    ['steam', 'MMBtu', 'MBtu/MMBtu (million Btu)'],
    ['chilled_water', 'ton-hr', 'ton hours'],
    ['water', 'kgal', 'KGal (thousand gallons) (US)'],
  ])('has a name for the standard unit of %s', (code, unit, units) => {
    const billed = { code, usage: '7', unit, standard_usage: '7', standard_unit: unit, meter_unit: unit, meter_factor: '1' }
    expect(exchangedUsage(billed)).toEqual({ usage: '7', units })
  })
})

describe('a bill after another one of its meter', () => {
  test('may begin on the last day of the other, or on the day after it', () => {
    expect([null, '2025-02-10', '2025-02-09'].map((end) => followsAs(end, '2025-02-10'))).toEqual([null, null, null])
  })

  test('leaves a gap from the second day on, also over the end of a month', () => {
    expect(followsAs('2025-02-08', '2025-02-10')).toBe('gap')
    expect(followsAs('2024-02-28', '2024-03-01')).toBe('gap')
    expect(followsAs('2025-02-28', '2025-03-01')).toBeNull()
  })

  test('overlaps where it begins before the other ends', () => {
    expect(followsAs('2025-02-11', '2025-02-10')).toBe('overlap')
  })
})
