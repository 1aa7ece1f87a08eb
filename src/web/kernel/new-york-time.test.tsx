import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { formatDate } from '#contract/kernel/date.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { NewYorkTime } from './new-york-time.tsx'

const textOf = (markup: string) => markup.replaceAll(/<[^>]+>/g, '')

test('a day stays a day on the day itself; an instant of today shows its time where it is near', () => {
  const at = new Date().toISOString()
  const day = formatDate(todayIn(NEW_YORK, at))
  expect(textOf(renderToStaticMarkup(<NewYorkTime at={at} show="day" />))).toBe(day)
  expect(textOf(renderToStaticMarkup(<NewYorkTime at={at} show="near" />))).toMatch(/^\d{1,2}:\d{2} [AP]M/)
  expect(textOf(renderToStaticMarkup(<NewYorkTime at="2020-03-01T12:00:00Z" show="near" />))).toBe('03/01/2020')
})
