import { clients } from '@roadshow/contract/catalog/clients'
import type { Client } from '@roadshow/contract/catalog/clients'
import { webhookInput, webhooks } from '@roadshow/contract/outreach/webhooks'
import type { Webhook, WebhookInput } from '@roadshow/contract/outreach/webhooks'
import {
  clientWebhookEvents,
  webhookEventLabel,
  webhookEvents,
  webhookEventTable,
} from '@roadshow/contract/outreach/webhook-events'
import type { WebhookEvent } from '@roadshow/contract/outreach/webhook-events'
import { Alert, Form, Input } from 'antd'
import { useEffect } from 'react'
import { useSave } from '../../api/useSave.ts'
import { permissionsOf, useUser } from '../../api/user.ts'
import { CheckboxChoice } from '../../ui/CheckboxChoice.tsx'
import { Field, FormRulesContext, Section } from '../../ui/fields.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { RecordField } from '../../ui/RecordField.tsx'
import type { Lookup } from '../../ui/RecordSelect.tsx'
import { StickyFooter } from '../../ui/StickyFooter.tsx'
import { UnsavedEdits } from '../../ui/UnsavedEdits.tsx'
import { useFormSubmit } from '../../ui/useFormSubmit.ts'
import type { FieldsOf } from '../../ui/words.ts'
import type { ShownSecret } from './NewSecret.tsx'
import styles from './Webhooks.module.css'

const fields: FieldsOf<WebhookInput> = {
  url: 'Address',
  description: 'Description',
  clientUid: 'Client',
  events: ['Events', webhookEventLabel],
}

const clientLookup: Lookup<Client> = { list: clients.list, sort: 'name', nameOf: ({ name }) => name }

interface WebhookFormProps {
  /** The endpoint to change; undefined for a new one. */
  webhook?: Webhook
  onClose: () => void
  onCreated: (created: ShownSecret) => void
  onSaved: () => void
}

const valuesOf = (webhook: Webhook | undefined): Partial<WebhookInput> => ({
  url: webhook?.url ?? '',
  description: webhook?.description ?? '',
  clientUid: webhook?.client?.uid ?? null,
  events: webhook?.events ?? [],
})

/** Saves the endpoint. */
function useWebhookForm({ webhook, onCreated, onSaved }: WebhookFormProps) {
  const create = useSave(webhooks.create)
  const update = useSave(webhooks.update)
  const notice = useNotice()
  const form = useFormSubmit<WebhookInput>(async ({ url, description, events, clientUid }) => {
    const shared = { url, description, events }
    if (!webhook) {
      const { data } = await create.mutateAsync({ body: { ...shared, clientUid: clientUid ?? null } })
      return () => onCreated(data)
    }
    const { uid, version } = webhook
    await update.mutateAsync({ body: { ...shared, uid, version } })
    return () => {
      notice('The webhook is saved.')
      onSaved()
    }
  })
  return { ...form, isBusy: create.isPending || update.isPending }
}

/** Asks where messages go, and for what. */
export function WebhookForm(props: WebhookFormProps) {
  const { form, submit, isEdited, problem, isBusy } = useWebhookForm(props)
  const { webhook, onClose } = props

  useEffect(() => form.focusField('url'), [form])

  return (
    <FormRulesContext value={{ fields, schema: webhookInput }}>
      <Form form={form} layout="vertical" initialValues={valuesOf(webhook)} onFinish={(values) => void submit(values)}>
        {problem && <Alert type="error" role="alert" title={problem} />}
        <Section title="Receiver" wide>
          <Field name="url" hint="Where messages are sent, such as https://hooks.example.com/roadshow.">
            <Input maxLength={500} autoComplete="off" inputMode="url" />
          </Field>
          <Field name="description" hint="What the receiver does with it.">
            <Input maxLength={200} autoComplete="off" />
          </Field>
        </Section>
        <Choice webhook={webhook} />
        <StickyFooter act={webhook ? 'Save' : 'Create webhook'} isBusy={isBusy} onClose={onClose} />
      </Form>
      <UnsavedEdits
        isEdited={isEdited}
        draft={{
          name: webhook ? `${webhooks.update.path}${webhook.uid}` : webhooks.create.path,
          read: () => form.getFieldsValue(),
          restore: (typed) => form.setFieldsValue(typed),
        }}
      />
    </FormRulesContext>
  )
}

const describeEvent = (event: WebhookEvent) => (
  <>
    {webhookEventLabel[event]} (<code>{event}</code>)
    <span className={styles.description}>{webhookEventTable[event].description}</span>
  </>
)

/** The events that the endpoint gets. Its client can't change: the receiver relies on that client's events. */
function Choice({ webhook }: { webhook: Webhook | undefined }) {
  const form = Form.useFormInstance<WebhookInput>()
  const { modules } = permissionsOf(useUser())
  const clientUid = Form.useWatch('clientUid', form)
  const held = webhookEvents.filter((event) => modules.includes(webhookEventTable[event].module))
  const offered = clientUid ? held.filter((event) => clientWebhookEvents.includes(event)) : held

  const narrow = (chosen: unknown) => {
    if (!chosen) return
    const events = form.getFieldValue('events') as WebhookEvent[]
    form.setFieldValue(
      'events',
      events.filter((event) => clientWebhookEvents.includes(event)),
    )
  }

  return (
    <Section title="Events" wide>
      <RecordField
        name="clientUid"
        lookup={clientLookup}
        current={webhook?.client}
        isFixed={webhook !== undefined}
        none="All clients"
        onChosen={narrow}
        hint={
          webhook
            ? 'The client of a webhook can’t be changed. Create another webhook instead.'
            : 'Leave empty for all clients. A webhook of one client gets only that client’s events.'
        }
      />
      <Field name="events" dependsOn="clientUid">
        <CheckboxChoice offered={offered} labelOf={describeEvent} />
      </Field>
    </Section>
  )
}
