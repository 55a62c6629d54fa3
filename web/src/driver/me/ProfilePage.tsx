import { call } from '../../api/call.ts'
import { useWords } from '../context.ts'
import { meCalls } from './calls.ts'
import { MeFrame } from './MeFrame.tsx'
import { useLoaded } from './useLoaded.ts'
import styles from './me.module.css'

/** What the office knows of the driver. */
export default function ProfilePage() {
  const words = useWords()
  const loaded = useLoaded(async () => (await call(meCalls.me, {}, { staysOnPage: true })).data, 'profile')
  return (
    <MeFrame title={words.profile} loaded={loaded}>
      {({ name, email, photoUrl }) => (
        <section className={styles.card}>
          {photoUrl && <img className={styles.portrait} src={photoUrl} alt={words.profilePhoto} />}
          <h2>{name}</h2>
          <p>
            {words.email} <span>{email}</span>
          </p>
          <p className={styles.soft}>{words.emailByOffice}</p>
        </section>
      )}
    </MeFrame>
  )
}
