/* Exchange programs: lists of events that the tile's sequencer executes at exact cycles after an internal sync. There
   is no handshake: the receiver listens when the sender's words pass by (docs/reference/exchange.md).

   A receive event selects whom to listen to. A word sent by an event of cycle S at tile s is received by an event of
   cycle S + tessera_receive_offset(s, d) at tile d, which may be before S: selections have a way to go as well. */
#pragma once

#include <stdint.h>
#include <tessera/machine.h>
#include <tessera/words.h>

/* The events of a list stand in a memory element that holds nothing else: TESSERA_EVENTS uint64_t list[8]; */
#define TESSERA_EVENTS __attribute__((section(".tessera.events"), aligned(8)))

/* Cycles from a word on the port of `source` to it on the input of `destination`. */
static inline int tessera_latency(unsigned source, unsigned destination) {
  const int columns = TESSERA_COLUMNS, lanes = TESSERA_LANES, half = columns / 2;
  const int s = (int)source, d = (int)destination;
  const int column_s = s / lanes % columns, column_d = d / lanes % columns;
  const int lane_s = s % lanes, lane_d = d % lanes;
  const int half_s = column_s >= half, half_d = column_d >= half;
  const int fold_s = half_s ? columns - 1 - column_s : column_s;
  const int fold_d = half_d ? columns - 1 - column_d : column_d;
  const int near_side = half_d == lane_d % 2;
  const int entry = lane_d >= 2 ? (near_side ? 2 : 4) : (near_side ? 1 : 5);
  const int distance = 6 * (fold_d - fold_s - (half_s ^ (lane_s % 2))) + entry;
  const int turn = half_s == half_d ? column_s % half + 1 : columns - column_s % half;
  const int select =
      half * half_s + 3 - column_d + 4 * (fold_s - fold_d) + turn + (distance < 0 ? -distance : distance) - 34;
  return 52 + select + s / (lanes * columns) + d / (lanes * columns);
}

static inline int tessera_receive_offset(unsigned source, unsigned destination) {
  return tessera_latency(source, destination) - 10 - 2 * (int)(destination / (TESSERA_LANES * TESSERA_COLUMNS));
}

/* Single events. `delay`: cycles between the event before (the phase start, for the first) and this one, less one. */
static inline uint64_t tessera_event(unsigned delay, uint32_t address, unsigned words) {
  return TESSERA_EVENT_DELAY(delay) | TESSERA_EVENT_WORD_ADDRESS(address / 4) | TESSERA_EVENT_COUNT(words);
}
static inline uint64_t tessera_event_send(unsigned delay, uint32_t address, unsigned words) {
  return tessera_event(delay, address, words);
}
static inline uint64_t tessera_event_receive(unsigned delay, uint32_t address, unsigned words, unsigned source) {
  return tessera_event(delay, address, words) | TESSERA_EVENT_IS_RECEIVE(1) | TESSERA_EVENT_SOURCE(source);
}

/* Paired transfers (exchange.md): double words, the low word by the port of the lower tile of a pair (t and t ^
   TESSERA_UPPER_OF_PAIR), the high word by that of the upper. `count` double words; addresses are 8-aligned. Both tiles
   of a receiving pair take part, each with a receive of its own: tessera_pair_port says by which port its half comes,
   tessera_pair_part what it does; TESSERA_PAIR_LENDS, if only the other is to have the words. */
static inline uint64_t tessera_event_send_paired(unsigned delay, uint32_t address, unsigned count) {
  return tessera_event(delay, address, count) | TESSERA_EVENT_PAIR(1);
}
static inline uint64_t tessera_event_receive_paired(unsigned delay, uint32_t address, unsigned count, unsigned port,
                                                    unsigned part) {
  return tessera_event_receive(delay, address, count, port) | TESSERA_EVENT_PAIR(part);
}
static inline unsigned tessera_pair_port(unsigned source, unsigned destination) {
  return (source & ~TESSERA_UPPER_OF_PAIR) | (destination & TESSERA_UPPER_OF_PAIR);
}
static inline unsigned tessera_pair_part(unsigned source, unsigned destination) {
  const int own = tessera_latency(tessera_pair_port(source, destination), destination);
  const unsigned beside = destination ^ TESSERA_UPPER_OF_PAIR;
  const int other = tessera_latency(tessera_pair_port(source, beside), beside);
  return own < other ? TESSERA_PAIR_EARLY : TESSERA_PAIR_LATE;
}

/* A list by absolute cycles: begin; send and receive in ascending order of their cycle, counted from the phase start;
   end. Two events may not share a cycle; a send may overlap a receive, but no other send. */
struct tessera_schedule {
  uint64_t* events;
  unsigned capacity, count;
  unsigned next_cycle; /* the earliest that the next event may have */
  int error;           /* 1: an event came too late to keep the order, 2: more events than the list holds */
};

static inline void tessera_schedule_begin(struct tessera_schedule* s, uint64_t* events, unsigned capacity) {
  s->events = events;
  s->capacity = capacity;
  s->count = s->next_cycle = 0;
  s->error = 0;
}

static inline void tessera_schedule_add(struct tessera_schedule* s, unsigned cycle, uint64_t event) {
  if (cycle < s->next_cycle) s->error = 1;
  if (s->error != 0) return;
  unsigned delay = cycle - s->next_cycle;
  s->next_cycle = cycle + 1;
  while (delay > TESSERA_EVENT_DELAY_MOST) { /* pure delays; each takes a cycle of its own */
    if (s->count < s->capacity) s->events[s->count] = tessera_event(TESSERA_EVENT_DELAY_MOST, 0, 0);
    s->count++;
    delay -= TESSERA_EVENT_DELAY_MOST + 1;
  }
  if (s->count >= s->capacity) {
    s->error = 2;
    return;
  }
  s->events[s->count++] = event | TESSERA_EVENT_DELAY(delay);
}

static inline void tessera_schedule_send(struct tessera_schedule* s, unsigned cycle, const void* from, unsigned words) {
  tessera_schedule_add(s, cycle, tessera_event_send(0, (uint32_t)(uintptr_t)from, words));
}
static inline void tessera_schedule_receive(struct tessera_schedule* s, unsigned cycle, void* to, unsigned words,
                                            unsigned source) {
  tessera_schedule_add(s, cycle, tessera_event_receive(0, (uint32_t)(uintptr_t)to, words, source));
}

static inline void tessera_schedule_send_paired(struct tessera_schedule* s, unsigned cycle, const void* from,
                                                unsigned count) {
  tessera_schedule_add(s, cycle, tessera_event_send_paired(0, (uint32_t)(uintptr_t)from, count));
}
static inline void tessera_schedule_receive_paired(struct tessera_schedule* s, unsigned cycle, void* to, unsigned count,
                                                   unsigned port, unsigned part) {
  tessera_schedule_add(s, cycle, tessera_event_receive_paired(0, (uint32_t)(uintptr_t)to, count, port, part));
}

/* 0, or the error of the first event that did not fit. An empty list gets a pure delay. */
static inline int tessera_schedule_end(struct tessera_schedule* s) {
  if (s->count == 0) tessera_schedule_add(s, s->next_cycle, tessera_event(0, 0, 0));
  if (s->error == 0) s->events[s->count - 1] |= TESSERA_EVENT_LAST(1);
  return s->error;
}

#ifdef __TESSERA__
#include <tessera/sync.h>

/* Meets all tiles, executes the list, and waits for its end. Null: takes part without sending or receiving. */
static inline void tessera_exchange(const uint64_t* events) {
  if (events != 0) xipu_xarm(events);
  xipu_sync(0, TESSERA_SYNC_INTERNAL);
  xipu_sync(0, TESSERA_SYNC_EXCHANGE);
}
#endif
