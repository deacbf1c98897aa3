// SPDX-License-Identifier: BSD-3-Clause
// Changes that lie apart in two sequences, and a proof that no path has a lower penalty (docs/proofs.md, lemma 34):
// letters are compared once along the path, and those around each place with changes on all diagonals that a best path
// may have, or, where there are many diagonals, in a list of words.  A place has one change, or some that lie close
// together.  Places that cannot be proven one by one are told together with their neighbours.
#pragma once

#include <cstdint>

#include "backend/monitor.hpp"
#include "base/uninitialized.hpp"
#include "cpu/furthest/penalties.hpp"
#include "cpu/furthest/word_lists.hpp"

namespace nwgpu::cpu {

struct SeparateChanges {
    static constexpr std::int64_t most_cost = 31;                     // of a place
    static constexpr std::int64_t most_cost_together = 95;            // of one that is told together with others
    enum class Kind : std::uint8_t { mismatch, insertion, deletion }; // of one letter; an insertion is of the query
    struct Change {
        std::int64_t at; // query letters before it
        Kind kind;
    };
    struct Place {
        std::int64_t at;    // query letters before its first change
        std::int64_t last;  // its last letter that is not equal for sure
        std::int64_t clear; // letters of the query from here on are equal in one way alone
        std::int64_t cost;
        std::int64_t diagonal; // on which the path comes
        // The first letter that differs on the diagonal on which a path comes, and, of several changes, the last one on
        // that on which it leaves.
        std::int64_t first_different, last_different;
        std::int64_t word_begin, word_end; // what proves its cost lies here
        bool is_elsewhere;                 // a word of it may lie on a far diagonal
    };
    // Of which word is told whether it lies on a far diagonal.
    struct FarWord {
        std::int64_t begin, place;
    };
    // Changes from this letter of the query on, which differs, to this one at least, which are told as one place.
    struct Together {
        std::int64_t at, until;
    };
    // Kept from pair to pair.
    struct Memory {
        Array<Change> changes;
        Array<Place> places;
        Array<FarWord> far;
        Array<Together> together;
        WordLists lists;
    };

    // Where so many changes are on average closer than that, or the query is shorter, pairs are left to other ways,
    // which are about as quick.
    struct Limits {
        std::int64_t changes = 4, letters_apart = 25, letters = 0;
        // The same of long queries, for which another way (landmarks/align_by_landmarks.hpp) is quicker.
        std::int64_t long_letters = 1 << 15, letters_apart_in_long = 55;
        std::int64_t longest_letters = 1 << 18, letters_apart_in_longest = 85;
        // Of so many letters on places are told together with others; shorter pairs are computed as soon.
        std::int64_t letters_together = 4000;
        // From so many diagonals on those near the path are looked at first: most of what cannot be proven is seen
        // there.
        std::int64_t few_diagonals = 1024;
        // Diagonals that are looked at, on average, for each letter of the target, from which far words are looked for:
        // that takes about as long.  A place with several changes counts 8 times per penalty.
        std::int64_t far_words = 24;
        // Diagonals beside that of a place; others are far ones.
        std::int64_t near = 8;
        // See `points`; of the target.
        std::int64_t points_per_letter = 128;

        std::int64_t apart(std::int64_t m) const
        {
            return m < long_letters      ? letters_apart
                   : m < longest_letters ? letters_apart_in_long
                                         : letters_apart_in_longest;
        }
    };

    struct Sequences {
        std::uint8_t const *query = nullptr, *target = nullptr;
        std::int64_t m = 0, n = 0;
    };

    // In.  128 letters before and behind both sequences can be read.
    Sequences sequences;
    std::int64_t equal = 0; // letters at the begin of both, at least
    Penalties costs;
    Limits limits;
    // Diagonals, times penalties of several changes, on which words may be compared that are not in a list, in all
    // turns: counted down; below 0 the pair is left to other ways.
    std::int64_t points = 0;
    // Out: the changes of the path that the tie rule takes, in order; `count` is negative if they are not separate.
    // If more are to be told together than before, another turn may find them.
    std::int64_t count = -1, places = 0, penalty = 0;
    std::int64_t penalty_of_several = 0; // of places with several changes
    // Has room for so many changes and places; the place behind the last one is written, too.
    std::int64_t most = 0;
    Memory * memory = nullptr;
    Monitor * monitor = nullptr; // is asked now and then; null: nobody stops it
};

} // namespace nwgpu::cpu
