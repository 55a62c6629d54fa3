import { Counter, Gauge } from 'prom-client'

export const messagesTotal = new Counter({
  name: 'roadshow_messages_total',
  help: 'Attempts to send a message, by channel and outcome.',
  labelNames: ['channel', 'outcome'] as const,
  registers: [],
})

export const messagesWaiting = new Gauge({
  name: 'roadshow_messages_waiting',
  help: 'Messages that are due and not sent yet, by channel.',
  labelNames: ['channel'] as const,
  registers: [],
})

export const oldestMessageSeconds = new Gauge({
  name: 'roadshow_messages_oldest_seconds',
  help: 'How long the oldest message has waited that is due or was tried in vain, by channel; 0 where none waits.',
  labelNames: ['channel'] as const,
  registers: [],
})

export const messagesDead = new Gauge({
  name: 'roadshow_messages_dead',
  help: 'Messages that could not be delivered and that an admin has not sent again, by channel.',
  labelNames: ['channel'] as const,
  registers: [],
})
