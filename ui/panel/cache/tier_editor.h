// Editor of a question's tiers: a machine's, and a table in which each can be edited.
#pragma once

#include "ui/form/field_rows.h"

#include <vector>

namespace loadline::ui {

/// For FormPlace::editor "tiers", of a CacheQuestion; its sources may hold the CacheFigure that is shown.
FieldRow tierRowOf(const ask::Field& field, const FormHand& hand);

/// The models that bytes of KV cache can stand for.
std::vector<NamedChoice> cacheModelEntries();

} // namespace loadline::ui
