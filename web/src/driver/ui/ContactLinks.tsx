import { formatPhone } from '@roadshow/contract/platform/figures'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useDay, useWords } from '../context.ts'
import { OutsideLink } from './Button.tsx'

/** People to call, each by one tap. */
export function ContactLinks({ contacts }: Pick<DriverAppShift, 'contacts'>) {
  const words = useWords()
  return contacts.map(({ name, role, phone }) => (
    <OutsideLink key={name + phone} href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>
      <span>
        {words.callContact(name)}
        <br />
        <small>
          {role} {formatPhone(phone)}
        </small>
      </span>
    </OutsideLink>
  ))
}

/** The contacts of a shift, as they are now or were when something of it was done. */
export function useContactsOf(about: { shiftUid: string; contacts?: DriverAppShift['contacts'] } | undefined) {
  const shifts = useDay()?.shifts
  if (!about) return []
  return shifts?.find(({ uid }) => uid === about.shiftUid)?.contacts ?? about.contacts ?? []
}
