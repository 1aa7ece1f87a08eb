import { channelPartner, channelPartnerCalls, type ChannelPartner } from '#contract/clients/channel-partner.ts'
import { LogoLink } from '../clients/clients.ts'
import { DeleteItem } from '../kernel/lists/delete-item.tsx'
import { ListPage } from '../kernel/lists/list-page.tsx'
import { Can, useCan } from '../kernel/permissions.tsx'
import { MenuItem } from '../ui/menu.tsx'
import { Missing } from '../ui/status.tsx'
import styles from './channel-partners.module.css'

/** The channel partners within the user's reach; a partner's administrator sees only that partner. */
export function PartnerList() {
  const mayEdit = useCan('channel_partner.update')
  return (
    <ListPage
      entity={channelPartner}
      calls={channelPartnerCalls}
      columns={columns}
      cells={cells}
      rowHref={mayEdit ? editHref : undefined}
      addNew={{ href: '/channel_partners/new', may: 'channel_partner.create' }}
      actions={mayEdit ? actions : undefined}
    />
  )
}

/** Number of client names in a row; further ones are only counted. */
const namesShown = 4

const columns = [
  { key: 'name', width: 240 },
  { key: 'client_names', width: 420 },
  { key: 'filename', label: 'Logo' },
] as const
const cells = {
  client_names: ({ client_names: names }: ChannelPartner) => {
    if (names.length === 0) return <Missing word="no clients" />
    const all = names.join(', ')
    const more = names.length - namesShown
    if (more <= 0) return <span title={all}>{all}</span>
    return (
      <span title={all}>
        <span className={styles.first}>{names.slice(0, namesShown).join(', ')}</span> and {more} more
      </span>
    )
  },
  filename: (row: ChannelPartner) => <LogoLink row={row} />,
}

function actions(row: ChannelPartner) {
  return (
    <>
      <Can do="channel_partner.update">
        <MenuItem href={editHref(row)}>Edit</MenuItem>
      </Can>
      <Can do="channel_partner.destroy">
        <DeleteItem call={channelPartnerCalls.destroy} params={{ id: row.id }} name={row.name} />
      </Can>
    </>
  )
}

function editHref(row: ChannelPartner): string {
  return `/channel_partners/${row.id}/edit`
}
