import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient, refreshed } from './query.ts'

afterEach(() => queryClient.clear())

test('a change during the first reading is read again, seen or not: the reading may have been answered before it', async () => {
  const answers: ((answer: string) => void)[] = []
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve))
  const seen = new QueryObserver(queryClient, { queryKey: ['reports', 'list'], queryFn, staleTime: 15_000 })
  const stop = seen.subscribe(() => undefined)
  const unseen = queryClient.fetchQuery({ queryKey: ['reports', 'tiles'], queryFn: () => Promise.resolve('before') })
  expect(answers).toHaveLength(1)
  const again = refreshed('reports')
  answers[0]?.('before')
  await unseen
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.('after')
  await again
  expect(seen.getCurrentResult().data).toBe('after')
  expect(queryClient.getQueryState(['reports', 'tiles'])?.isInvalidated).toBe(true)
  stop()
})

test('data that is there is read again once', async () => {
  let readings = 0
  const seen = new QueryObserver(queryClient, {
    queryKey: ['vendors', 'list'],
    queryFn: () => Promise.resolve(++readings),
    staleTime: 15_000,
  })
  const stop = seen.subscribe(() => undefined)
  await expect.poll(() => seen.getCurrentResult().data).toBe(1)
  await refreshed('vendors')
  expect(seen.getCurrentResult().data).toBe(2)
  stop()
})
