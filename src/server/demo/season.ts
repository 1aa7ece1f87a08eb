/** Relative usage per day of the year, against the average day, with the effect of a month's weather. Pure. */
import { addDays, dayNumber, daysBetween, monthOf, type CalendarDate } from '#contract/kernel/date.ts'
import { diceOf } from './dice.ts'
import type { Region } from './region-catalog.ts'

/** `gas` is the part of it that is independent of the weather. */
export type SeasonModel = 'electric' | 'lighting' | 'water' | 'irrigation' | 'flat' | { readonly gas: number }

const YEAR_DAYS = 365.25
const HOTTEST_DAY = 205
const COLDEST_DAY = 15
/** Means of the two curves over a year, so that the days of a year average 1. */
const MEAN_HEAT = 0.278
const MEAN_COLD = 0.303
/** Largest share of cooling in a building's electricity, in the hottest climate. */
const COOLING_MOST = 0.35

/** Returns the number of average days that the period corresponds to: a winter month of gas corresponds to several. */
export function seasonalDays(model: SeasonModel, region: Region, from: CalendarDate, to: CalendarDate): number {
  const first = dayNumber(from)
  const count = daysBetween(from, to)
  let sum = 0
  for (let day = first; day < first + count; day += 1) sum += factorOf(model, region, day)
  return sum * weather(model, region, from, count)
}

/** Degree days of the coldest day of a region without heat, and of the hottest day of one that is all heat. */
const COLDEST_DEGREES = 42
const HOTTEST_DEGREES = 30

/** The degree days of one day, from the curves and the weather that usage is planned with. */
export function degreeDaysOn(region: Region, day: CalendarDate): { readonly heating: number; readonly cooling: number } {
  const number = dayNumber(day)
  const cold = wave(number, COLDEST_DAY, 1.2) * weather({ gas: 0 }, region, day, 1)
  const heat = wave(number, HOTTEST_DAY, 1.5) * weather('irrigation', region, day, 1)
  return { heating: COLDEST_DEGREES * (1 - region.cooling) * cold, cooling: HOTTEST_DEGREES * region.cooling * heat }
}

function factorOf(model: SeasonModel, region: Region, day: number): number {
  if (model === 'flat') return 1
  if (typeof model === 'object') return model.gas + (1 - model.gas) * (wave(day, COLDEST_DAY, 1.2) / MEAN_COLD)
  const heat = wave(day, HOTTEST_DAY, 1.5) / MEAN_HEAT
  switch (model) {
    case 'electric':
      return 1 + region.cooling * COOLING_MOST * (heat - 1)
    case 'lighting':
      return 1 + 0.25 * Math.cos(angle(day, COLDEST_DAY))
    case 'water':
      return 1 + 0.06 * (heat - 1)
    case 'irrigation':
      return 0.1 + 0.9 * heat
  }
}

/** Every building of a region has the same weather. */
function weather(model: SeasonModel, region: Region, from: CalendarDate, count: number): number {
  if (model === 'flat') return 1
  const month = monthOf(addDays(from, Math.floor(count / 2)))
  return diceOf(`weather ${region.code} ${month}`).about(typeof model === 'object' || model === 'irrigation' ? 0.09 : 0.035)
}

function wave(day: number, peak: number, sharpness: number): number {
  return Math.max(0, Math.cos(angle(day, peak))) ** sharpness
}

function angle(day: number, peak: number): number {
  return (2 * Math.PI * ((day % YEAR_DAYS) - peak)) / YEAR_DAYS
}
