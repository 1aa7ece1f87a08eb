import { apiToken, type ApiToken } from '#contract/access/api-token.ts'
import { addDays, formatDate } from '#contract/kernel/date.ts'
import { titleCase } from '#contract/kernel/entity.ts'
import { models as allModels } from '#contract/kernel/permission.ts'
import { NEW_YORK, todayIn } from '#contract/kernel/zone.ts'
import { NewYorkTime } from '../kernel/new-york-time.tsx'
import { Missing, StatusDot } from '../ui/status.tsx'

/** A token that ends within this many days is marked as ending soon. */
const SOON_DAYS = 7

/** The token's last day, with a word if it has expired or will soon. */
export function TokenExpiry({ token }: { token: Pick<ApiToken, 'expires_on'> }) {
  const day = formatDate(token.expires_on)
  switch (nearness(token.expires_on ?? '')) {
    case 'over':
      return <StatusDot tone="bad">{`Expired ${day}`}</StatusDot>
    case 'soon':
      return <StatusDot tone="warn">{`Soon, ${day}`}</StatusDot>
    case 'far':
      return <span className="num">{day}</span>
  }
}

function nearness(day: string): 'over' | 'soon' | 'far' {
  const today = todayIn(NEW_YORK, Date.now())
  if (day < today) return 'over'
  return day <= addDays(today, SOON_DAYS) ? 'soon' : 'far'
}

export function TokenUse({ token }: { token: Pick<ApiToken, 'last_used_at' | 'last_used_ip'> }) {
  if (!token.last_used_at) return <Missing word="never used" />
  return (
    <span title={token.last_used_ip ? `from ${token.last_used_ip}` : undefined}>
      <NewYorkTime at={token.last_used_at} />
    </span>
  )
}

/** Describes the token's scope: 'Read only · 2 clients · Bills, Vendors'. */
export function tokenScope({ access, models, client_ids }: Pick<ApiToken, 'access' | 'models' | 'client_ids'>): string {
  const label = apiToken.fields.access.choices?.find((choice) => choice.value === access)?.label ?? ''
  const chosen = allModels.filter((model) => models?.includes(model))
  const clients = client_ids.length === 0 ? [] : [client_ids.length === 1 ? '1 client' : `${client_ids.length} clients`]
  return [label, ...clients, ...(chosen.length > 0 ? [chosen.map(titleCase).join(', ')] : [])].join(' · ')
}
